import type { Grant } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalRequest } from './approvals.sql.ts';

/** Whether a person counts as having asked for what was asked for with an access key. */
export async function mayKnowKeyOf(
  tx: MerchantTx,
  { requested_by }: ApprovalRequest,
  { userId, perms }: { userId: bigint } & Pick<Grant, 'perms'>,
): Promise<boolean> {
  const manages = perms.includes('access.manage');
  const { rows } = await sql<{ may: boolean }>`
    select may_know_key(${tx.merchantId}, ${requested_by}, ${userId}, ${manages}) as may`.execute(tx.query);
  return rows[0]?.may === true;
}
