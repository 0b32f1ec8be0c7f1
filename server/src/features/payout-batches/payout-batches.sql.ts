import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { Currency } from '@hengfu/contract/money';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A batch; `waiting`, `taken` and `failed` count its rows by state. */
export interface Batch {
  id: bigint;
  batchNo: string;
  name: string;
  channel: ChannelCode;
  currency: Currency;
  rowCount: number;
  amountMinor: bigint;
  feeMinor: bigint;
  createdBy: string;
  createdByName: string;
  createdAt: Date;
  finishedAt: Date | null;
  waiting: number;
  taken: number;
  failed: number;
  /** Null if no rule of the merchant covers it. */
  approvalState: ApprovalState | null;
}

const shownBatches = 20;

/**
 * Lists the latest batches, or one by its number. Finished batches store their counts, so their rows are not
 * counted again.
 */
export async function listBatches(tx: MerchantTx, batchNo: string | null): Promise<Batch[]> {
  const { rows } = await sql<Batch>`
    select b.id, b.batch_no as "batchNo", b.name, b.channel, b.currency, b.row_count as "rowCount",
      b.amount_minor as "amountMinor", b.fee_minor as "feeMinor", b.created_by as "createdBy",
      coalesce(u.name, b.created_by) as "createdByName", b.created_at as "createdAt", b.finished_at as "finishedAt",
      coalesce(c.waiting, 0) as waiting, coalesce(b.taken_count, c.taken) as taken,
      coalesce(b.failed_count, c.failed) as failed, b.approval_state as "approvalState"
    from (select * from payout_batch
      where merchant_id = ${tx.merchantId} and (${batchNo}::text is null or batch_no = ${batchNo})
      order by created_at desc, id desc limit ${shownBatches}) b
    left join (membership p join app_user u on u.id = p.user_id)
      on p.merchant_id = b.merchant_id and 'user:' || p.user_id = b.created_by
    left join lateral (
      select count(*) filter (where state = 'waiting')::integer as waiting,
        count(*) filter (where state = 'taken')::integer as taken,
        count(*) filter (where state = 'failed')::integer as failed
      from payout_batch_row r
      where b.finished_at is null and r.merchant_id = b.merchant_id and r.batch_id = b.id) c on true
    order by b.created_at desc, b.id desc`.execute(tx.query);
  return rows;
}

/** Counts the merchant's unfinished batches. */
export async function countUnfinished(tx: MerchantTx): Promise<number> {
  const { count } = await tx.prepared
    .selectFrom('payout_batch')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('merchant_id', '=', tx.merchantId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts a batch's payouts by status. */
export async function countPayouts(
  tx: MerchantTx,
  batchNo: string,
): Promise<Partial<Record<PayoutStatus, number>>> {
  const rows = await tx.prepared
    .selectFrom('payout')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('merchant_id', '=', tx.merchantId)
    .where('batch_no', '=', batchNo)
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

/** Finds the latest batch with the same rows. */
export async function findRepeated(
  tx: MerchantTx,
  contentHash: Buffer,
): Promise<{ batchNo: string; createdAt: Date } | undefined> {
  return tx.prepared
    .selectFrom('payout_batch')
    .select(['batch_no as batchNo', 'created_at as createdAt'])
    .where('merchant_id', '=', tx.merchantId)
    .where('content_hash', '=', contentHash)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Serializes batches with the same rows: holds a lock until the transaction ends. */
export async function lockBatchContent(tx: MerchantTx, contentHash: Buffer): Promise<void> {
  const gate = `batch ${tx.merchantId} ${contentHash.toString('hex')}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${gate}, 0))`.execute(tx.prepared);
}

/** Reads the exchange rate, in local currency per USDT; undefined if none is set. */
export async function readUsdtRate(tx: MerchantTx, currency: Currency): Promise<string | undefined> {
  const { rows } = await sql<{ rate: string }>`
    select trim_scale(usdt_rate)::text as rate from exchange_rate
    where currency = ${currency} and valid_from <= now() order by valid_from desc limit 1`.execute(
    tx.prepared,
  );
  return rows[0]?.rate;
}

export interface NewBatch
  extends Pick<Batch, 'name' | 'channel' | 'currency' | 'amountMinor' | 'feeMinor' | 'createdBy'> {
  contentHash: Buffer;
  rowCount: number;
  /** JSON of `{fields: BatchOrder, meansSimilar: boolean}[]`. */
  rows: string;
}

/** Inserts a batch with its rows; returns its number. */
export async function insertBatch(tx: MerchantTx, batch: NewBatch): Promise<string> {
  const { rows: inserted } = await sql<{ batchNo: string }>`
    with batch as (
      insert into payout_batch (merchant_id, batch_no, name, channel, currency, content_hash, row_count, amount_minor,
        fee_minor, created_by)
      values (${tx.merchantId}, new_trade_no('B', ${tx.merchantId}, now()), ${batch.name}, ${batch.channel}, ${batch.currency},
        ${batch.contentHash}, ${batch.rowCount}, ${batch.amountMinor}, ${batch.feeMinor}, ${batch.createdBy})
      returning merchant_id, id, batch_no
    ), written as (
      insert into payout_batch_row (merchant_id, batch_id, line, fields, means_similar)
      select b.merchant_id, b.id, r.line, r.row -> 'fields', (r.row ->> 'meansSimilar')::boolean
      from batch b, jsonb_array_elements(${batch.rows}::jsonb) with ordinality as r (row, line)
    )
    select batch_no as "batchNo" from batch`.execute(tx.query);
  const [first] = inserted;
  if (!first) throw new Error('inserting a batch returned no row');
  return first.batchNo;
}

/** Makes a batch that was just inserted wait for approval. */
export async function markWaiting(tx: MerchantTx, batchNo: string): Promise<void> {
  await sql`
    update payout_batch set approval_state = 'waiting'
    where merchant_id = ${tx.merchantId} and batch_no = ${batchNo}`.execute(tx.query);
}

/** Lists the failed rows in line order. */
export async function listFailed(
  tx: MerchantTx,
  batchId: bigint,
): Promise<{ line: number; fields: unknown; reason: ErrorCode | null }[]> {
  return tx.prepared
    .selectFrom('payout_batch_row')
    .select(['line', 'fields', 'reason'])
    .where('merchant_id', '=', tx.merchantId)
    .where('batch_id', '=', batchId)
    .where('state', '=', 'failed')
    .orderBy('line')
    .execute();
}
