import { isDeepStrictEqual } from 'node:util';
import { quotas } from '@hengfu/contract/quotas';
import type { MerchantTx } from '#db/database.ts';
import { assertStillManages, auditApproved, type StoredAccessChange } from '#domain/access-approval.sql.ts';
import type { ChangeEffects, ChangeRequest } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import { freshSecret } from './callback-endpoints.service.ts';
import { countEndpoints, insertEndpoint, lockEndpoint, updateEndpoint } from './callback-endpoints.sql.ts';
import { recorded } from './callbacks.rules.ts';

type EndpointChange = Extract<StoredAccessChange, { setting: 'endpoint' }>;

/** Approval of new endpoints, and of changes of where an endpoint's messages go. */
export function endpointApproval(secrets: Secrets): ChangeEffects {
  return {
    async approved(tx, asked) {
      const change = asked.change as EndpointChange;
      await assertStillManages(tx, asked, 'callbacks.manage');
      if (change.endpointId === null) await addEndpoint(tx, secrets, asked, change);
      else await changeEndpoint(tx, asked, change, BigInt(change.endpointId));
      tx.changed(tx.merchantId, 'callbacks');
    },
    ended: async () => undefined,
  };
}

/** Throws `conflict` if the merchant has as many endpoints as it may by now. */
async function addEndpoint(
  tx: MerchantTx,
  secrets: Secrets,
  asked: ChangeRequest,
  { after, description }: EndpointChange,
): Promise<void> {
  if ((await countEndpoints(tx)) >= quotas.callbackEndpointsOfMerchant) throw new Refusal('conflict');
  const fields = { ...after, description };
  const secret = secrets.encrypt(freshSecret());
  await insertEndpoint(tx, fields, { secret, createdBy: asked.requested_by });
  await auditApproved(tx, asked, {
    action: 'callback_endpoint.create',
    subject: after.url,
    after: recorded(fields),
  });
}

/** Throws `conflict` if the endpoint was removed, or goes to another address or has other events since. */
async function changeEndpoint(
  tx: MerchantTx,
  asked: ChangeRequest,
  { before, after, description }: EndpointChange,
  id: bigint,
): Promise<void> {
  const now = await lockEndpoint(tx, id);
  if (!now || !isDeepStrictEqual({ url: now.url, events: now.events }, before)) throw new Refusal('conflict');
  const fields = { ...after, description };
  await updateEndpoint(tx, now, fields);
  await auditApproved(tx, asked, {
    action: 'callback_endpoint.update',
    subject: after.url,
    before: recorded(now),
    after: recorded(fields),
  });
}
