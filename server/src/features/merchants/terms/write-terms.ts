import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { insertTerms, latestTerms, type NewTerms } from '../merchants.sql.ts';

/** Sets a merchant's fees for a channel, and audits them beside the earlier ones. */
export async function writeTerms(
  tx: Tx,
  merchantId: bigint,
  terms: NewTerms,
  by: ServiceActor,
): Promise<void> {
  const earlier = await latestTerms(tx, merchantId, terms.channel);
  await insertTerms(tx, merchantId, terms);
  await writeAudit(tx, {
    merchantId,
    ...fieldsOfActor(by),
    action: 'terms.set',
    subject: terms.channel,
    ...(earlier && { before: recordedTerms(earlier) }),
    after: recordedTerms(terms),
  });
}

/** Terms as the audit trail keeps them. */
function recordedTerms(terms: NewTerms): AuditValues {
  const { collectionFixedMinor, payoutFixedMinor } = terms;
  return {
    ...terms,
    collectionFixedMinor: String(collectionFixedMinor),
    payoutFixedMinor: String(payoutFixedMinor),
  };
}
