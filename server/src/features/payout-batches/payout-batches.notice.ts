import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { lockOutcome, markOutcomeReported } from './payout-batch-outcome.sql.ts';

const noticeTask = 'payouts.batchNotice';
const payload = z.object({ merchantId: z.string().transform(BigInt), batchNo: z.string() });

/** How long the notice waits for open payouts. Payouts rejected later have their own notices. */
const longestWaitSeconds = 3600;
const firstPauseSeconds = 2;
const longestPauseSeconds = 60;
/** A batch can wait for approval for days. */
const approvalPauseSeconds = 600;

/** Schedules the notice about the outcome of a batch, in the transaction that finishes the batch. */
export async function planBatchNotice(
  tx: MerchantTx,
  batchNo: string,
  delaySeconds = firstPauseSeconds,
): Promise<void> {
  const { merchantId } = tx;
  const key = `batch notice:${batchNo}`;
  await enqueue(tx, noticeTask, { merchantId: String(merchantId), batchNo }, { key, delaySeconds });
}

/** Sends one notice for all failed rows and rejected payouts of a batch, once its payouts have ended. */
export class BatchNotice {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [noticeTask]: async (given) => this.#notify(payload.parse(given)),
  };

  async #notify({ merchantId, batchNo }: z.output<typeof payload>): Promise<void> {
    await this.#database.asMerchant(merchantId, async (tx) => {
      const outcome = await lockOutcome(tx, batchNo);
      if (!outcome) return;
      const { rows, failed, rejected, isOpen, isWaiting, seconds } = outcome;
      if (isWaiting) {
        await planBatchNotice(tx, batchNo, approvalPauseSeconds);
        return;
      }
      if (isOpen && seconds < longestWaitSeconds) {
        await planBatchNotice(
          tx,
          batchNo,
          Math.min(longestPauseSeconds, firstPauseSeconds + Math.ceil(seconds / 4)),
        );
        return;
      }
      await markOutcomeReported(tx, batchNo);
      if (failed + rejected === 0) return;
      const facts = { rows, failed, rejected };
      await writeNotice(tx, { merchantId, kind: 'payoutBatchFailed', subject: batchNo, facts });
    });
  }
}
