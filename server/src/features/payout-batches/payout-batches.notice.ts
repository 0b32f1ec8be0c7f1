import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { endTelling, holdOutcome } from './payout-batch-outcome.sql.ts';

const tellTask = 'payouts.batchNotice';
const payload = z.object({ merchantId: z.string().transform(BigInt), batchNo: z.string() });

/** Payouts that the bank has not ended by then are told of one by one, should it reject them. */
const longestWaitSeconds = 3600;
const firstPauseSeconds = 2;
const longestPauseSeconds = 60;

/** Plans to tell how a batch ended, in the transaction that ends it. */
export async function planToTell(
  tx: MerchantTx,
  batchNo: string,
  delaySeconds = firstPauseSeconds,
): Promise<void> {
  const { merchantId } = tx;
  const key = `batch notice:${batchNo}`;
  await enqueue(tx, tellTask, { merchantId: String(merchantId), batchNo }, { key, delaySeconds });
}

/** Tells of the rows and payouts of a batch that came to nothing: once for all of them, when its payouts have ended. */
export class BatchNotice {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [tellTask]: async (given) => this.#tell(payload.parse(given)),
  };

  async #tell({ merchantId, batchNo }: z.output<typeof payload>): Promise<void> {
    await this.#database.asMerchant(merchantId, async (tx) => {
      const outcome = await holdOutcome(tx, batchNo);
      if (!outcome) return;
      const { rows, failed, rejected, isOpen, seconds } = outcome;
      if (isOpen && seconds < longestWaitSeconds) {
        await planToTell(
          tx,
          batchNo,
          Math.min(longestPauseSeconds, firstPauseSeconds + Math.ceil(seconds / 4)),
        );
        return;
      }
      await endTelling(tx, batchNo);
      if (failed + rejected === 0) return;
      const facts = { rows, failed, rejected };
      await writeNotice(tx, { merchantId, kind: 'payoutBatchFailed', subject: batchNo, facts });
    });
  }
}
