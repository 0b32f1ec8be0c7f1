import { permsOf, type Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalRequest } from './approvals.sql.ts';

/** Whether a person counts as having asked for what was asked for with an access key. */
export async function mayKnowKeyOf(
  tx: MerchantTx,
  { requested_by }: ApprovalRequest,
  { userId, roles }: { userId: bigint; roles: readonly Role[] },
): Promise<boolean> {
  const manages = permsOf(roles).includes('access.manage');
  const { rows } = await sql<{ may: boolean }>`
    select may_know_key(${tx.merchantId}, ${requested_by}, ${userId}, ${manages}) as may`.execute(tx.query);
  return rows[0]?.may === true;
}

/** Reads the roles of a person who may act for the merchant now; none for others. */
export async function readActiveRoles(tx: MerchantTx, userId: bigint): Promise<Role[]> {
  const { rows } = await sql<{ roles: Role[] }>`
    select p.roles from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${tx.merchantId} and p.user_id = ${userId} and p.disabled_at is null and u.disabled_at is null`.execute(
    tx.query,
  );
  return rows[0]?.roles ?? [];
}
