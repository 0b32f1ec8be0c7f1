import type { Currency } from '@hengfu/contract/money';
import type { BatchOrder } from '@hengfu/contract/payout-batch-rows';
import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { isDatabaseAway } from '#db/pool.ts';
import { Refusal } from '#domain/refusal.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import {
  endRow,
  findOpenBatch,
  finishBatch,
  holdNextRow,
  listOpenBatches,
  type OpenBatch,
  type RowEnd,
  type WaitingRow,
} from './payout-batch-rows.sql.ts';
import { planToTell } from './payout-batches.notice.ts';

/** Makes a payout of a row, in the transaction that notes it at the row; throws as a single payout would. */
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
const payload = z.object({ merchantId: z.string().transform(BigInt), batchNo: z.string() });

/** Rows that a run takes before other work gets a turn. */
const rowsInARun = 200;
const pauseSeconds = 60;
/** A row whose twin is on its way to an unknown end waits for that; after this many tries it fails. */
const unknownTries = 120;
const slowestUnknownSeconds = 30;
/** A row that meets a fault of ours is tried again some times, each after a longer wait. */
const faultTries = 5;

/** Plans the taking of a batch's rows, in the transaction that makes it necessary. */
export async function planToTake(tx: MerchantTx, batchNo: string, delaySeconds = 0): Promise<void> {
  const { merchantId } = tx;
  await enqueue(
    tx,
    batchTask,
    { merchantId: String(merchantId), batchNo },
    { key: `batch:${batchNo}`, delaySeconds },
  );
}

/** Plans to take what waited while the merchant was suspended, in the transaction that reactivates it. */
export async function planWaitingBatches(tx: MerchantTx): Promise<void> {
  for (const batchNo of await listOpenBatches(tx)) await planToTake(tx, batchNo);
}

/**
 * Makes payouts of a batch's rows, one after the other, each in a transaction of its own: whatever dies, a row is either
 * a payout or still waits. A row that fails stands in nobody's way.
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
  };

  async #run({ merchantId, batchNo }: z.output<typeof payload>): Promise<void> {
    const batch = await this.#database.asMerchant(merchantId, (tx) => findOpenBatch(tx, batchNo));
    if (!batch) return;
    let line: number | 'held' | undefined = batch.isSuspended ? 'held' : 0;
    for (let taken = 0; taken < rowsInARun && typeof line === 'number'; taken++)
      line = await this.#takeNext(merchantId, batch, line);
    await this.#database.asMerchant(merchantId, async (tx) => {
      const seconds = await finishBatch(tx, batch);
      if (seconds === undefined) await planToTell(tx, batchNo);
      else await planToTake(tx, batchNo, line === 'held' ? pauseSeconds : seconds);
      tx.changed(merchantId, 'payouts');
    });
  }

  /**
   * Takes the next row behind a line; answers its line, undefined where there is none, and `held` where the merchant was
   * suspended meanwhile: then the row waits as it is.
   */
  async #takeNext(
    merchantId: bigint,
    batch: OpenBatch,
    afterLine: number,
  ): Promise<number | 'held' | undefined> {
    let held: WaitingRow | undefined;
    try {
      await this.#database.asMerchant(merchantId, async (tx) => {
        held = await holdNextRow(tx, batch, afterLine);
        if (!held) return;
        const { line, fields: order, meansSimilar: confirmSimilar } = held;
        const { tradeNo } = await this.#takeRow(tx, {
          currency: batch.currency,
          createdBy: batch.createdBy,
          batchNo: batch.batchNo,
          batchLine: line,
          order,
          outTradeNo: order.out_trade_no ?? null,
          confirmSimilar,
        });
        await endRow(tx, batch, line, { tradeNo });
      });
    } catch (error) {
      // A database that is away says nothing of the row: the queue tries the run again.
      if (!held || isDatabaseAway(error)) throw error;
      if (error instanceof Refusal && error.code === 'merchant_suspended') return 'held';
      const row: WaitingRow = held;
      await this.#database.asMerchant(merchantId, async (tx) => {
        await endRow(tx, batch, row.line, endAfter(error, row));
        tx.changed(merchantId, 'payouts');
      });
    }
    return held?.line;
  }
}

/** What becomes of a row that was not taken. */
export function endAfter(
  error: unknown,
  { meansSimilar, tries }: Pick<WaitingRow, 'meansSimilar' | 'tries'>,
): RowEnd {
  if (!(error instanceof Refusal))
    return tries + 1 < faultTries ? { laterSeconds: 2 ** tries } : { reason: 'internal' };
  const { code } = error;
  const canWait = code === 'similar_payout_unknown' && meansSimilar && tries + 1 < unknownTries;
  return canWait ? { laterSeconds: Math.min(slowestUnknownSeconds, 2 + tries) } : { reason: code };
}
