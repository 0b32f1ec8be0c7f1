import { permsOf, type Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalRequest } from './approvals.sql.ts';

/**
 * Whether a person may know the access key that a request was made with: one who has read its secret, and, if nobody has, whoever could
 * read it, because an operator has given it to the merchant.
 */
export async function mayKnowKeyOf(
  tx: MerchantTx,
  { requested_by }: ApprovalRequest,
  { userId, roles }: { userId: bigint; roles: readonly Role[] },
): Promise<boolean> {
  if (!requested_by.startsWith('key:')) return false;
  const { rows } = await sql<{ userId: bigint }>`
    select user_id as "userId" from access_key_reader
    where merchant_id = ${tx.merchantId} and 'key:' || key_id = ${requested_by}`.execute(tx.query);
  if (rows.length === 0) return permsOf(roles).includes('access.manage');
  return rows.some((reader) => reader.userId === userId);
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
