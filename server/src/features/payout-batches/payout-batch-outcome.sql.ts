import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** The state of a batch whose rows have all been taken or failed. */
export interface Outcome {
  rows: number;
  failed: number;
  /** Payouts that the bank rejected. */
  rejected: number;
  /** Some of its payouts have not reached a final status. */
  isOpen: boolean;
  /** It waits for approval. */
  isWaiting: boolean;
  /** Seconds since the batch was finished, or its approval ended. */
  seconds: number;
}

/**
 * Returns the outcome of a finished batch that has not been reported yet. The lock waits for payouts that are
 * being rejected at this moment, so they are counted.
 */
export async function lockOutcome(tx: MerchantTx, batchNo: string): Promise<Outcome | undefined> {
  await sql`select from payout_batch where merchant_id = ${tx.merchantId} and batch_no = ${batchNo} for no key update`.execute(
    tx.prepared,
  );
  const { rows } = await sql<Outcome>`
    select b.row_count as rows, b.failed_count as failed, p.rejected, p."isOpen",
      b.approval_state is not distinct from 'waiting' as "isWaiting",
      extract(epoch from now() - greatest(b.finished_at, r.ended_at))::integer as seconds
    from payout_batch b
    left join approval_request r on r.merchant_id = b.merchant_id and r.kind = 'batch' and r.subject_no = b.batch_no
    cross join lateral (
      select count(*) filter (where status = 'rejected')::integer as rejected,
        count(*) filter (where status not in ('processed', 'rejected')) > 0 as "isOpen"
      from payout where merchant_id = b.merchant_id and batch_no = b.batch_no) p
    where b.merchant_id = ${tx.merchantId} and b.batch_no = ${batchNo} and b.finished_at is not null
      and b.told_at is null`.execute(tx.prepared);
  return rows[0];
}

/** Marks the outcome as reported: from now on, each rejected payout of the batch has its own notice. */
export async function markOutcomeReported(tx: MerchantTx, batchNo: string): Promise<void> {
  await sql`update payout_batch set told_at = now() where merchant_id = ${tx.merchantId} and batch_no = ${batchNo}`.execute(
    tx.prepared,
  );
}
