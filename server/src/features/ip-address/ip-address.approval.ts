import { isDeepStrictEqual } from 'node:util';
import type { MerchantTx } from '#db/database.ts';
import { assertStillManages, auditApproved, type StoredAccessChange } from '#domain/access-approval.sql.ts';
import type { ChangeEffects, ChangeRequest } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { refuseClosed } from '#domain/whitelist.sql.ts';
import { lockAllowed, replaceAllowed } from './ip-address.sql.ts';

/** Approval of changes of the whitelist. */
export const ipAddressApproval: ChangeEffects = { approved: replaceList, ended: async () => undefined };

/** Throws `conflict` if the list is another one since, or if the new one would by now stop the merchant's systems unconfirmed. */
async function replaceList(tx: MerchantTx, asked: ChangeRequest): Promise<void> {
  const { before, after, isClosedConfirmed } = asked.change as Extract<
    StoredAccessChange,
    { setting: 'whitelist' }
  >;
  const { merchantId } = tx;
  const now = await lockAllowed(tx, merchantId);
  await assertStillManages(tx, asked);
  if (!isDeepStrictEqual(now, before)) throw new Refusal('conflict');
  if (!isClosedConfirmed) await orConflict(() => refuseClosed(tx, merchantId, after));
  await replaceAllowed(tx, merchantId, after);
  await auditApproved(tx, asked, {
    action: 'ip_address.set',
    before: { blocks: before },
    after: { blocks: after },
  });
}

/** Only the person who asks can confirm a list: to the one who approves, its refusal means that the change cannot be made. */
async function orConflict(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('conflict');
    throw error;
  }
}
