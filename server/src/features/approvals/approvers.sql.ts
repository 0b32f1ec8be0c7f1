import type { Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Approver } from './approvals.rules.ts';
import type { ApprovalRequest } from './approvals.sql.ts';

/** Lists those who have approved a request and still act for the merchant, with their roles of now. */
export async function listApprovers(
  tx: MerchantTx,
  { id }: Pick<ApprovalRequest, 'id'>,
): Promise<Approver[]> {
  const { rows } = await sql<Approver>`
    select p.user_id::text as "userId", p.roles from approval_decision d
    join membership p on p.merchant_id = d.merchant_id and p.user_id = d.user_id
    join app_user u on u.id = p.user_id
    where d.merchant_id = ${tx.merchantId} and d.request_id = ${id} and d.verdict = 'approved'
      and p.disabled_at is null and u.disabled_at is null`.execute(tx.query);
  return rows;
}

/** Reads the roles that a person has now. */
export async function readRoles(tx: MerchantTx, userId: bigint): Promise<Role[]> {
  const { rows } = await sql<{ roles: Role[] }>`
    select roles from membership where merchant_id = ${tx.merchantId} and user_id = ${userId}`.execute(
    tx.query,
  );
  return rows[0]?.roles ?? [];
}

/** Whether a person has read the secret of the access key that a request was made with. */
export async function hasReadKeyOf(
  tx: MerchantTx,
  { requested_by }: ApprovalRequest,
  userId: bigint,
): Promise<boolean> {
  const { rows } = await sql`
    select from access_key_reader
    where merchant_id = ${tx.merchantId} and 'key:' || key_id = ${requested_by} and user_id = ${userId}`.execute(
    tx.query,
  );
  return rows.length > 0;
}
