import type { Database } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { holdSettling } from '#domain/settling.sql.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { lockCollection } from '../collections.sql.ts';
import { fund, type RefundBooking } from './refunds.booking.ts';
import { findForgottenLate, insertRefund, needsReturn } from './refunds.sql.ts';

const task = 'refunds.returnLate';
const batch = 100;

export const lateReturnsRecurring: readonly Recurring[] = [{ task, everySeconds: 60 }];

/**
 * Gives back money beyond the uses of a payment link whose refund is missing, either because a process of the version before booked the payment
 * without one, or because the refund never reached the channel. A payment that the merchant's funds do not cover yet is tried again by the next run.
 */
export class LateReturns {
  readonly #database: Database;
  readonly #booking: RefundBooking;

  constructor(database: Database, booking: RefundBooking) {
    this.#database = database;
    this.#booking = booking;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => void (await this.run()),
  };

  /** Returns the number of payments that are given back. */
  async run(): Promise<number> {
    const found = await this.#database.asSystem((tx) => findForgottenLate(tx, batch));
    let returned = 0;
    for (const { merchantId, tradeNo } of found) if (await this.#giveBack(merchantId, tradeNo)) returned++;
    return returned;
  }

  async #giveBack(merchantId: bigint, tradeNo: string): Promise<boolean> {
    try {
      return await this.#database.asMerchant(merchantId, async (tx) => {
        await holdSettling(tx);
        const order = await lockCollection(tx, tradeNo);
        if (order?.holdsLinkUse !== false || order.paidAt === null || !(await needsReturn(tx, order)))
          return false;
        const { amountMinor } = order;
        const refund = await insertRefund(tx, order, {
          amountMinor,
          outRefundNo: null,
          requestHash: requestHash({ late: tradeNo }),
          reason: null,
          requestedBy: 'service',
        });
        // Nobody has bought anything: the fee goes back, whatever the terms say.
        await this.#booking.begin(tx, order, refund, await fund(tx, order, amountMinor, order.feeMinor));
        return true;
      });
    } catch (error) {
      if (error instanceof Refusal && error.code === 'insufficient_funds') return false;
      throw error;
    }
  }
}
