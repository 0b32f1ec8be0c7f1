import type { Currency } from '@hengfu/contract/money';
import type { BatchOrder } from '@hengfu/contract/payout-batch-rows';
import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { isDatabaseAway } from '#db/pool.ts';
import { Refusal } from '#domain/refusal.ts';
import { findTwin } from '#domain/twins.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import {
  failWaiting,
  findOpenBatch,
  finishBatch,
  holdApproval,
  listOpenBatches,
  lockNextRow,
  type OpenBatch,
  type RowOutcome,
  recordRowOutcome,
  type WaitingRow,
} from './payout-batch-rows.sql.ts';
import { planBatchNotice } from './payout-batches.notice.ts';

/**
 * Creates a payout from a row, in the transaction that records it on the row. Throws the errors of a single
 * payout.
 */
export type TakeRow = (
  tx: MerchantTx,
  row: {
    currency: Currency;
    order: BatchOrder;
    outTradeNo: string | null;
    createdBy: string;
    confirmSimilar: boolean;
    batchNo: string;
    batchLine: number;
  },
) => Promise<{ tradeNo: string }>;

const batchTask = 'payouts.batch';
const resumeTask = 'payouts.resumeBatches';
const merchantPayload = z.object({ merchantId: z.string().transform(BigInt) });
const payload = merchantPayload.extend({ batchNo: z.string() });

/** Rows per run; after that, other jobs have a turn. */
const rowsPerRun = 200;
const pauseSeconds = 60;
/** A row waits while the outcome of its twin is unknown, and fails after this many tries. */
const maxTriesOfUnknown = 120;
const longestUnknownSeconds = 30;
/** A row that hits an internal error is retried with backoff, and fails after this many tries. */
const maxTriesOfFault = 5;

/** Schedules a run over a batch's rows, in the transaction that makes it necessary. */
export async function planBatchRun(tx: MerchantTx, batchNo: string, delaySeconds = 0): Promise<void> {
  const { merchantId } = tx;
  await enqueue(
    tx,
    batchTask,
    { merchantId: String(merchantId), batchNo },
    { key: `batch:${batchNo}`, delaySeconds },
  );
}

/**
 * Schedules the batches that waited while the merchant was suspended, in the transaction that reactivates it. Those of its test merchant,
 * which was suspended with it, are scheduled by a job: no transaction of one merchant reaches the other's rows.
 */
export async function planWaitingBatches(tx: MerchantTx): Promise<void> {
  const { merchantId } = tx;
  await planOpenBatches(tx);
  await enqueue(tx, resumeTask, { merchantId: String(merchantId) }, { key: `${resumeTask}:${merchantId}` });
}

async function planOpenBatches(tx: MerchantTx): Promise<void> {
  for (const batchNo of await listOpenBatches(tx)) await planBatchRun(tx, batchNo);
}

/**
 * Creates payouts from a batch's rows, one after the other, each in its own transaction: after any crash, a
 * row either is a payout or still waits. A failed row does not block the others.
 */
export class BatchJob {
  readonly #database: Database;
  readonly #takeRow: TakeRow;

  constructor(database: Database, takeRow: TakeRow) {
    this.#database = database;
    this.#takeRow = takeRow;
  }

  readonly tasks: Record<string, Task> = {
    [batchTask]: async (given) => this.#run(payload.parse(given)),
    [resumeTask]: async (given) => {
      const { merchantId } = merchantPayload.parse(given);
      const twin = await this.#database.asSystem((tx) => findTwin(tx, merchantId));
      if (twin) await this.#database.asMerchant(twin.id, planOpenBatches);
    },
  };

  async #run({ merchantId, batchNo }: z.output<typeof payload>): Promise<void> {
    const batch = await this.#database.asMerchant(merchantId, (tx) => findOpenBatch(tx, batchNo));
    if (!batch) return;
    if (isNotApproved(batch))
      await this.#database.asMerchant(merchantId, (tx) => failWaiting(tx, batch.id, 'not_approved'));
    let line: number | 'held' | undefined = batch.isSuspended ? 'held' : 0;
    for (let taken = 0; taken < rowsPerRun && typeof line === 'number'; taken++)
      line = await this.#takeNext(merchantId, batch, line);
    await this.#database.asMerchant(merchantId, async (tx) => {
      const seconds = await finishBatch(tx, batch);
      if (seconds === undefined) await planBatchNotice(tx, batchNo);
      else await planBatchRun(tx, batchNo, line === 'held' ? pauseSeconds : seconds);
      tx.changed(merchantId, 'payouts');
    });
  }

  /**
   * Takes the next row behind a line. Returns its line; undefined if there is none, and `held` if the
   * merchant was suspended meanwhile: the row then keeps waiting.
   */
  async #takeNext(
    merchantId: bigint,
    batch: OpenBatch,
    afterLine: number,
  ): Promise<number | 'held' | undefined> {
    let next: WaitingRow | undefined;
    try {
      await this.#database.asMerchant(merchantId, async (tx) => {
        if (batch.approvalState === 'waiting') await holdApproval(tx, batch);
        next = await lockNextRow(tx, batch, afterLine);
        if (!next) return;
        const { line, fields: order, meansSimilar: confirmSimilar } = next;
        const { tradeNo } = await this.#takeRow(tx, {
          currency: batch.currency,
          createdBy: batch.createdBy,
          batchNo: batch.batchNo,
          batchLine: line,
          order,
          outTradeNo: order.out_trade_no ?? null,
          confirmSimilar,
        });
        await recordRowOutcome(tx, batch, line, { tradeNo });
      });
    } catch (error) {
      // A lost database connection says nothing about the row: the queue retries the run.
      if (!next || isDatabaseAway(error)) throw error;
      if (error instanceof Refusal && error.code === 'merchant_suspended') return 'held';
      const row: WaitingRow = next;
      await this.#database.asMerchant(merchantId, async (tx) => {
        await recordRowOutcome(tx, batch, row.line, outcomeAfter(error, row));
        tx.changed(merchantId, 'payouts');
      });
    }
    return next?.line;
  }
}

/** Whether the batch's approval has ended without anybody having approved it: no row may become a payout. */
function isNotApproved({ approvalState }: OpenBatch): boolean {
  return approvalState !== null && approvalState !== 'waiting' && approvalState !== 'approved';
}

/** Decides whether a row that could not be taken fails or is retried. */
export function outcomeAfter(
  error: unknown,
  { meansSimilar, tries }: Pick<WaitingRow, 'meansSimilar' | 'tries'>,
): RowOutcome {
  if (!(error instanceof Refusal))
    return tries + 1 < maxTriesOfFault ? { retrySeconds: 2 ** tries } : { reason: 'internal' };
  const { code } = error;
  const canWait = code === 'similar_payout_unknown' && meansSimilar && tries + 1 < maxTriesOfUnknown;
  return canWait ? { retrySeconds: Math.min(longestUnknownSeconds, 2 + tries) } : { reason: code };
}
