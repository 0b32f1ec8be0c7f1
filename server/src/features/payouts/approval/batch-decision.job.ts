import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { defaultMaxAttempts, enqueue, type Task } from '#jobs/jobs.ts';
import { sendTask } from '../payouts.dispatch.ts';
import { lockPayout } from '../payouts.sql.ts';
import { approvePayouts, listUnapproved, type UnapprovedPayout } from './batch-approval.sql.ts';
import { rejectWaiting } from './payout-approval.ts';

const decisionTask = 'payouts.batchDecision';
const payload = z.object({ merchantId: z.string().transform(BigInt), batchNo: z.string() });

/** Payouts that one run rejects, each in its own transaction, or approves, in one; then other jobs have a turn. */
const rejectedPerRun = 200;
const approvedPerRun = 500;

/** Schedules the decision on a batch for its payouts, in the transaction that decides. */
export async function planBatchDecision(tx: MerchantTx, batchNo: string): Promise<void> {
  const { merchantId } = tx;
  const key = `batch decision:${batchNo}`;
  await enqueue(tx, decisionTask, { merchantId: String(merchantId), batchNo }, { key });
}

/**
 * Does for the payouts of a batch what was decided on it: rejects them, or those of excluded rows, and sends the others. A payout
 * that waits no longer is left alone, so a run can be repeated. No new ones come to wait: rows that become payouts
 * after the decision follow it themselves.
 */
export class BatchDecisionJob {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly tasks: Record<string, Task> = {
    [decisionTask]: async (given) => this.#run(payload.parse(given)),
  };

  async #run({ merchantId, batchNo }: z.output<typeof payload>): Promise<void> {
    const unapproved = await this.#database.asMerchant(merchantId, (tx) =>
      listUnapproved(tx, batchNo, rejectedPerRun),
    );
    for (const payout of unapproved)
      await this.#database.asMerchant(merchantId, (tx) => rejectUnlessDone(tx, payout));
    await this.#database.asMerchant(merchantId, async (tx) => {
      const job = { task: sendTask, maxAttempts: defaultMaxAttempts };
      const approved = await approvePayouts(tx, batchNo, job, approvedPerRun);
      if (unapproved.length === rejectedPerRun || approved === approvedPerRun)
        await planBatchDecision(tx, batchNo);
    });
  }
}

async function rejectUnlessDone(tx: MerchantTx, { tradeNo, end }: UnapprovedPayout): Promise<void> {
  const order = await lockPayout(tx, tradeNo);
  if (order?.approvalState === 'waiting') await rejectWaiting(tx, order, end);
}
