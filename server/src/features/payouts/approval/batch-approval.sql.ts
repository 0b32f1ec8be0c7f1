import type { ApprovalState } from '@hengfu/contract/approval-states';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { RequestEnd } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';

/**
 * Ends the wait of a batch. Waits for rows that are becoming payouts at this moment: later ones see the new state. The
 * transaction locks none of the batch's rows or payouts. Throws `conflict` if the batch does not wait.
 */
export async function endBatchApproval(
  tx: MerchantTx,
  batchNo: string,
  state: Exclude<ApprovalState, 'waiting'>,
): Promise<void> {
  const { rows } = await sql`
    update payout_batch set approval_state = ${state}
    where merchant_id = ${tx.merchantId} and batch_no = ${batchNo} and approval_state = 'waiting'
    returning id`.execute(tx.query);
  if (rows.length === 0) throw new Refusal('conflict');
  tx.changed(tx.merchantId, 'payouts');
}

/** Counts the rows of a batch. */
export async function countRows(tx: MerchantTx, batchNo: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select row_count as count from payout_batch
    where merchant_id = ${tx.merchantId} and batch_no = ${batchNo}`.execute(tx.query);
  return rows[0]?.count ?? 0;
}

/** A payout of a decided batch that still has to be rejected, and why. */
export interface UnapprovedPayout {
  tradeNo: string;
  end: RequestEnd;
}

/** Lists payouts that wait although their batch was not approved, or although an approver has excluded them. */
export async function listUnapproved(
  tx: MerchantTx,
  batchNo: string,
  limit: number,
): Promise<UnapprovedPayout[]> {
  const { rows } = await sql<{ tradeNo: string } & RequestEnd>`
    select p.trade_no as "tradeNo", case r.state when 'approved' then 'refused' else r.state end as state,
      case r.state when 'approved' then x.reason else r.reason end as reason
    from approval_request r
    join payout p on p.merchant_id = r.merchant_id and p.batch_no = r.subject_no and p.approval_state = 'waiting'
    left join lateral (
      select e.reason from approval_exclusion e
      where e.merchant_id = r.merchant_id and e.request_id = r.id and e.line = p.batch_line
      order by e.at, e.user_id limit 1) x on true
    where r.merchant_id = ${tx.merchantId} and r.kind = 'batch' and r.subject_no = ${batchNo} and r.state <> 'waiting'
      and (r.state <> 'approved' or x.reason is not null)
    order by p.batch_line limit ${limit}`.execute(tx.query);
  return rows.map(({ tradeNo, state, reason }) => ({ tradeNo, end: { state, reason } }));
}

/** Approves payouts that wait although their batch was approved, and enqueues them. Returns how many. */
export async function approvePayouts(
  tx: MerchantTx,
  batchNo: string,
  job: { task: string; maxAttempts: number },
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ approved: number }>`
    with waiting as materialized (
      select p.id from payout p
      where p.merchant_id = ${tx.merchantId} and p.batch_no = ${batchNo} and p.approval_state = 'waiting'
        and exists (select from payout_batch b
          where b.merchant_id = p.merchant_id and b.batch_no = p.batch_no and b.approval_state = 'approved')
        and not exists (select from approval_request r
          join approval_exclusion x on x.merchant_id = r.merchant_id and x.request_id = r.id
          where r.merchant_id = p.merchant_id and r.kind = 'batch' and r.subject_no = p.batch_no and x.line = p.batch_line)
      order by p.id limit ${limit} for update of p
    ), approved as (
      update payout p set approval_state = 'approved' from waiting w
      where p.merchant_id = ${tx.merchantId} and p.id = w.id returning p.id, p.trade_no, p.status
    ), noted as (
      insert into payout_event (merchant_id, payout_id, status, reason)
      select ${tx.merchantId}::bigint, id, status, 'approval_given' from approved
    )
    select (select count(*)::integer from approved) as approved, enqueue_jobs(${job.task},
      array(select json_build_object('merchantId', ${String(tx.merchantId)}::text, 'tradeNo', trade_no) from approved),
      array(select 'send:' || trade_no from approved), ${job.maxAttempts}::integer)`.execute(tx.query);
  const approved = rows[0]?.approved ?? 0;
  if (approved > 0) {
    tx.jobsReady(approved);
    tx.changed(tx.merchantId, 'payouts');
  }
  return approved;
}

/** Whether every row of a batch is a payout, or has failed: nothing of it can come up after an approval. */
export async function isTaken(tx: MerchantTx, batchNo: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_batch
    where merchant_id = ${tx.merchantId} and batch_no = ${batchNo} and finished_at is not null`.execute(
    tx.query,
  );
  return rows.length > 0;
}
