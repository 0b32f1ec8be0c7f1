import { isDeepStrictEqual } from 'node:util';
import type { MerchantTx } from '#db/database.ts';
import { assertStillManages, auditApproved, type StoredAccessChange } from '#domain/access-approval.sql.ts';
import type { ChangeEffects, ChangeRequest } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import { findLastKey, listKeys, lockKeys, readMerchantCode, updateKey } from './access-key.sql.ts';
import { freshKey, replaceKey } from './new-key.ts';

type KeyChange = Extract<StoredAccessChange, { setting: 'key' }>;

/**
 * Approval of changes of the access key. A new key is made in the transaction of the approval: its secret is in its encrypted column
 * alone, until the person who asked, or another one who may, reveals it.
 */
export function accessKeyApproval(secrets: Secrets): ChangeEffects {
  return {
    async approved(tx, asked) {
      const change = asked.change as KeyChange;
      await lockKeys(tx, tx.merchantId);
      await assertStillManages(tx, asked);
      if (change.action === 'newKey') await makeKey(tx, secrets, asked, change);
      else await changeSettings(tx, asked, change);
    },
    ended: async () => undefined,
  };
}

/** Throws `conflict` if another key was made since. */
async function makeKey(
  tx: MerchantTx,
  secrets: Secrets,
  asked: ChangeRequest,
  { keyId, overlapHours }: Extract<KeyChange, { action: 'newKey' }>,
): Promise<void> {
  const { merchantId } = tx;
  const before = await findLastKey(tx, merchantId);
  if ((before?.keyId ?? null) !== keyId) throw new Refusal('conflict');
  const key = freshKey(await readMerchantCode(tx));
  const createdBy = BigInt(asked.requested_by.replace(/^user:/, ''));
  await replaceKey(tx, secrets, merchantId, { key, before, overlapHours, createdBy });
  await auditApproved(tx, asked, {
    action: 'access_key.regenerate',
    subject: key.keyId,
    ...(before && { before: { keyId: before.keyId } }),
    after: { keyId: key.keyId, overlapHours },
  });
}

/** Throws `conflict` if the key, its callback URL or its state is another one since: one that was disabled stays disabled. */
async function changeSettings(
  tx: MerchantTx,
  asked: ChangeRequest,
  { keyId, before, after }: Extract<KeyChange, { action: 'keySettings' }>,
): Promise<void> {
  const [key] = await listKeys(tx, tx.merchantId);
  const now = key && { callbackUrl: key.callbackUrl, isEnabled: key.isEnabled };
  if (key?.keyId !== keyId || !isDeepStrictEqual(now, before)) throw new Refusal('conflict');
  await updateKey(tx, tx.merchantId, keyId, { note: key.note, ...after });
  await auditApproved(tx, asked, { action: 'access_key.update', subject: keyId, before, after });
}
