import type { BankEvent, CallbackSender } from './callback-sender.ts';
import type { Collection, CollectionQueries } from './collections.sql.ts';
import { type Outcome, outcomeOf } from './outcomes.ts';
import type { Timings } from './timings.ts';

/** Reason of an order that the payer declined. */
export const declinedReason = 'declined by payer';
/** Reason of an order that was not paid in time. */
export const expiredReason = 'expired';

/**
 * The transitions that a callback reports, each with its callback in one transaction: the caller opens it,
 * and wakes the sender after the commit. They return the ids of the callbacks that they enqueued.
 */
export type Booking = {
  /**
   * Confirms a payment, and books it if that is due immediately; undefined if the order was no longer
   * payable.
   */
  confirm(collection: Collection): bigint[] | undefined;
  /** Books a confirmed payment as paid or refused, according to its outcome. */
  book(collection: Collection, now: string): bigint[];
  /** Declines an order on behalf of the payer. */
  decline(collection: Collection): bigint[];
};

/** Creates the transitions of a bank's collections. */
export function createBooking(queries: CollectionQueries, sender: CallbackSender, timings: Timings): Booking {
  function report(
    collection: Collection,
    event: Pick<BankEvent, 'type' | 'occurredAt' | 'reason'>,
    { copies = 1, excessMinor = 0n } = {},
  ): bigint[] {
    const { reference, id, currency, notifyUrl } = collection;
    const amountMinor = (collection.amountMinor + excessMinor).toString();
    return sender.enqueue({ reference, bankId: id, amountMinor, currency, ...event }, notifyUrl, copies);
  }

  function book(collection: Collection, now: string): bigint[] {
    const outcome = outcomeOf(collection.amountMinor);
    const { refusedReason: reason, callbackCopies: copies, callbackExcessMinor: excessMinor } = outcome;
    if (reason === undefined) {
      if (!queries.book(collection.id, { status: 'paid', reason: null, paidAt: now })) return [];
      return report(collection, { type: 'collection.paid', occurredAt: now }, { copies, excessMinor });
    }
    if (!queries.book(collection.id, { status: 'refused', reason, paidAt: null })) return [];
    return report(collection, { type: 'collection.refused', occurredAt: now, reason });
  }

  return {
    confirm(collection) {
      const nowMs = Date.now();
      const now = new Date(nowMs).toISOString();
      const dueAt = bookingTime(outcomeOf(collection.amountMinor), collection.expiresAt, nowMs, timings);
      if (!queries.confirm(collection.id, now, dueAt)) return undefined;
      return dueAt <= now ? book(collection, now) : [];
    },
    book,
    decline(collection) {
      const now = new Date().toISOString();
      if (!queries.end(collection.id, 'refused', declinedReason)) return [];
      return report(collection, { type: 'collection.refused', occurredAt: now, reason: declinedReason });
    },
  };
}

/** Returns when a payment confirmed at `nowMs` is booked; ISO, UTC. */
function bookingTime({ booked }: Outcome, expiresAt: string, nowMs: number, timings: Timings): string {
  const bookedAtMs = {
    at_once: nowMs,
    delayed: nowMs + timings.delayedMs,
    after_expiry: Math.max(nowMs, Date.parse(expiresAt) + timings.lateAfterMs),
  }[booked];
  return new Date(bookedAtMs).toISOString();
}
