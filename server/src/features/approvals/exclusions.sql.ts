import type { Exclusion } from '@hengfu/contract/approvals';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalRequest } from './approvals.sql.ts';

/** Records the rows of a batch that a person excludes. Of several reasons for one row, the first one is kept. */
export async function insertExclusions(
  tx: MerchantTx,
  { id }: Pick<ApprovalRequest, 'id'>,
  { userId, excluded }: { userId: bigint; excluded: readonly Exclusion[] },
): Promise<void> {
  await sql`
    insert into approval_exclusion (merchant_id, request_id, line, user_id, reason)
    select ${tx.merchantId}::bigint, ${id}::bigint, line, ${userId}::bigint, reason
    from json_to_recordset(${JSON.stringify(excluded)}::json) as given (line integer, reason text)
    on conflict do nothing`.execute(tx.query);
}

/** A row that is excluded, by whom, and why. */
export interface ExcludedRow {
  line: number;
  name: string;
  reason: string;
}

/** Lists the rows that approvers have excluded, in the order of their lines. */
export async function listExclusions(
  tx: MerchantTx,
  { id }: Pick<ApprovalRequest, 'id'>,
): Promise<ExcludedRow[]> {
  const { rows } = await sql<ExcludedRow>`
    select x.line, u.name, x.reason from approval_exclusion x join app_user u on u.id = x.user_id
    where x.merchant_id = ${tx.merchantId} and x.request_id = ${id} order by x.line, x.at, x.user_id`.execute(
    tx.query,
  );
  return rows;
}
