import type { Database } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findMerchantForService } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { enqueue } from '#jobs/jobs.ts';
import { queryTask, sendTask } from '../payouts.dispatch.ts';
import { hasEnded, queryJobKey } from '../payouts.rules.ts';
import { findPayout, type Payout } from '../payouts.sql.ts';

/** The next step of a payout: sending it, or asking its channel. */
export type PayoutStep = 'send' | 'ask';

/** Returns the next step that somebody may have done at once; undefined if the payout has ended or waits for approval. */
export function stepOf({ status, approvalState }: Payout): PayoutStep | undefined {
  if (hasEnded(status) || approvalState === 'waiting') return undefined;
  return status === 'pending' ? 'send' : 'ask';
}

/** Lets the service have the next step of a payout done at once. */
export class PayoutTakeUp {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Enqueues the next step of a payout immediately: a payout that was never sent is sent, one that may have arrived is queried. The
   * job looks at the payout again under its lock, and at most one waits, so it does no harm if two do it at once. Throws
   * `not_found`, `invalid_transition` for one that has ended, and `merchant_suspended` for one that is held.
   */
  async takeUp(tradeNo: string, by: ServiceActor): Promise<PayoutStep> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findPayout(tx, { tradeNo });
      if (!order) throw new Refusal('not_found');
      const { status, approvalState } = order;
      const step = stepOf(order);
      if (step === undefined) {
        const isWaiting = approvalState === 'waiting' && !hasEnded(status);
        const state = isWaiting ? 'approvals.states.waiting' : (`payouts.status.${status}` as const);
        throw new Refusal('invalid_transition', { values: { status: state } });
      }
      if (step === 'send') await assertMayBegin(tx, 'unsentPayout');
      const [task, key] = step === 'send' ? [sendTask, `send:${tradeNo}`] : [queryTask, queryJobKey(tradeNo)];
      await enqueue(tx, task, { merchantId: String(merchantId), tradeNo }, { key });
      await writeAudit(tx, {
        merchantId,
        ...fieldsOfActor(by),
        action: 'payout.take_up',
        subject: tradeNo,
        before: { status },
      });
      return step;
    });
  }
}
