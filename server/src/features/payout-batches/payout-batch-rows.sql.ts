import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { BatchOrder } from '@hengfu/contract/payout-batch-rows';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A batch with rows that are still to become payouts. */
export interface OpenBatch {
  id: bigint;
  batchNo: string;
  currency: 'CNY' | 'VND' | 'INR' | 'BRL' | 'USD' | 'USDT';
  createdBy: string;
  isSuspended: boolean;
  /** The approval of the whole; null if no rule covers it. */
  approvalState: ApprovalState | null;
}

/** Finds a batch with rows that are still to be taken, and whether its merchant is suspended. */
export async function findOpenBatch(tx: MerchantTx, batchNo: string): Promise<OpenBatch | undefined> {
  const { rows } = await sql<OpenBatch>`
    select b.id, b.batch_no as "batchNo", b.currency, b.created_by as "createdBy",
      m.suspended_at is not null as "isSuspended", b.approval_state as "approvalState"
    from payout_batch b join merchant m on m.id = b.merchant_id
    where b.merchant_id = ${tx.merchantId} and b.batch_no = ${batchNo} and b.finished_at is null`.execute(
    tx.prepared,
  );
  return rows[0];
}

/** Keeps the approval of a batch from ending before the transaction does. Taken before the batch's rows are locked. */
export async function holdApproval(tx: MerchantTx, { id }: Pick<OpenBatch, 'id'>): Promise<void> {
  await sql`select from payout_batch where merchant_id = ${tx.merchantId} and id = ${id} for share`.execute(
    tx.prepared,
  );
}

/** Lists the numbers of the merchant's unfinished batches. */
export async function listOpenBatches(tx: MerchantTx): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('payout_batch')
    .select('batch_no')
    .where('merchant_id', '=', tx.merchantId)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.batch_no);
}

/** Fails all waiting rows of a batch; returns how many. */
export async function failWaiting(tx: MerchantTx, batchId: bigint, reason: ErrorCode): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update payout_batch_row set state = 'failed', reason = ${reason}
    where merchant_id = ${tx.merchantId} and batch_id = ${batchId} and state = 'waiting'`.execute(tx.query);
  return Number(numAffectedRows);
}

/** Lists a batch's unsent payouts in line order. */
export async function listUnsent(tx: MerchantTx, batchNo: string): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('payout')
    .select('trade_no')
    .where('merchant_id', '=', tx.merchantId)
    .where('batch_no', '=', batchNo)
    .where('status', '=', 'pending')
    .orderBy('batch_line')
    .execute();
  return rows.map((row) => row.trade_no);
}

/** A row that is still to become a payout. */
export interface WaitingRow {
  line: number;
  fields: BatchOrder;
  meansSimilar: boolean;
  tries: number;
}

/**
 * Locks the next row behind a line that may be tried now, until the transaction ends; other workers skip it.
 */
export async function lockNextRow(
  tx: MerchantTx,
  { id }: OpenBatch,
  afterLine: number,
): Promise<WaitingRow | undefined> {
  const { rows } = await sql<WaitingRow>`
    select line, fields, means_similar as "meansSimilar", tries from payout_batch_row
    where merchant_id = ${tx.merchantId} and batch_id = ${id} and line > ${afterLine} and state = 'waiting'
      and try_at <= now()
    order by line limit 1 for update skip locked`.execute(tx.prepared);
  return rows[0];
}

/** The result of trying a row: a payout, a failure, or a retry later. */
export type RowOutcome = { tradeNo: string } | { reason: ErrorCode } | { retrySeconds: number };

/** Records the outcome of a row; a row that another worker has finished meanwhile stays as it is. */
export async function recordRowOutcome(
  tx: MerchantTx,
  { id }: OpenBatch,
  line: number,
  outcome: RowOutcome,
): Promise<void> {
  const state = 'tradeNo' in outcome ? 'taken' : 'reason' in outcome ? 'failed' : 'waiting';
  const tradeNo = 'tradeNo' in outcome ? outcome.tradeNo : null;
  const reason = 'reason' in outcome ? outcome.reason : null;
  const retrySeconds = 'retrySeconds' in outcome ? outcome.retrySeconds : 0;
  await sql`
    update payout_batch_row set state = ${state}, trade_no = ${tradeNo}, reason = ${reason}, tries = tries + 1,
      try_at = now() + ${retrySeconds} * interval '1 second'
    where merchant_id = ${tx.merchantId} and batch_id = ${id} and line = ${line} and state = 'waiting'`.execute(
    tx.prepared,
  );
}

/**
 * Finishes a batch that has no waiting rows left. Returns the seconds until the next waiting row may be
 * tried; undefined if the batch is finished.
 */
export async function finishBatch(
  tx: MerchantTx,
  { id }: Pick<OpenBatch, 'id'>,
): Promise<number | undefined> {
  await sql`select from payout_batch where merchant_id = ${tx.merchantId} and id = ${id} for no key update`.execute(
    tx.prepared,
  );
  const { rows } = await sql<{ waiting: number; seconds: number; taken: number; failed: number }>`
    select count(*) filter (where state = 'waiting')::integer as waiting,
      coalesce(ceil(greatest(0, extract(epoch from min(try_at) filter (where state = 'waiting') - now()))), 0)::integer
        as seconds,
      count(*) filter (where state = 'taken')::integer as taken,
      count(*) filter (where state = 'failed')::integer as failed
    from payout_batch_row where merchant_id = ${tx.merchantId} and batch_id = ${id}`.execute(tx.prepared);
  const [counts] = rows;
  if (!counts || counts.waiting > 0) return counts?.seconds ?? 0;
  await sql`
    update payout_batch set finished_at = now(), taken_count = ${counts.taken}, failed_count = ${counts.failed}
    where merchant_id = ${tx.merchantId} and id = ${id} and finished_at is null`.execute(tx.prepared);
  return undefined;
}
