import { randomBytes } from 'node:crypto';
import type { CallbackSender } from './callback-sender.ts';
import { createBooking, expiredReason } from './collections.booking.ts';
import type { CollectionBody } from './collections.schemas.ts';
import { type Collection, createCollectionQueries } from './collections.sql.ts';
import { createDueTimer } from './due-timer.ts';
import { BankError } from './errors.ts';
import { outcomeOf } from './outcomes.ts';
import type { Store } from './store.ts';
import type { Timings } from './timings.ts';

/** What collections need of the rest of the bank. */
export type CollectionParts = {
  store: Store;
  sender: CallbackSender;
  timings: Timings;
  onError: (error: unknown) => void;
};

/** What came of a creation; `callbacks` are those that it put into the outbox by itself. */
export type Creation = { collection: Collection; isNew: boolean; callbacks: bigint[] };

/** The use cases of collections, for the payer's page and the service's calls alike. */
export type CollectionService = {
  /** Errors: not_found. */
  findByReference(reference: string): Collection;
  /** The payer's page knows an order by the bank's id; undefined when there is none. */
  findById(id: string): Collection | undefined;
  /** Stores an order, once per reference. Errors: reference_used when it came with another body before. */
  create(body: CollectionBody): Creation;
  /** A repetition changes nothing. Errors: not_found, payment_under_way, already_paid, already_refused, expired. */
  cancel(reference: string): Collection;
  /** The payer confirms. A repetition changes nothing. Errors: already_refused, already_cancelled, expired. */
  confirm(collection: Collection): Collection;
  /** The payer declines. A repetition changes nothing. Errors: already_paid, payment_under_way, already_cancelled, expired. */
  decline(collection: Collection): Collection;
  /** Does what fell due while the bank was away, and goes on from there. */
  start(): void;
  stop(): void;
};

/** The collections of a bank, over its shared store and callback sender. */
export function createCollectionService({
  store,
  sender,
  timings,
  onError,
}: CollectionParts): CollectionService {
  const queries = createCollectionQueries(store);
  const booking = createBooking(queries, sender, timings);
  const timer = createDueTimer({ nextDueAt: queries.firstDueAt, work: settleDue, onError });

  /** What is due by itself: payments under way are booked, unpaid orders lapse. */
  function settleDue(): void {
    const now = new Date().toISOString();
    for (const collection of queries.due(now)) {
      store.transaction(() => {
        if (collection.confirmedAt === null) queries.end(collection.id, 'cancelled', expiredReason);
        else booking.book(collection, now);
      });
    }
    sender.wake();
  }

  /** The reply to a move, and whatever is read after it, agree on what was already due. */
  function afterMove(id: string): Collection {
    settleDue();
    timer.arm();
    return known(queries.findById(id));
  }

  return {
    findByReference: (reference) => known(queries.findByReference(reference)),
    findById: (id) => queries.findById(id),
    create(body) {
      const request = JSON.stringify(body);
      const creation = store.transaction((): Creation => {
        const earlier = queries.findByReference(body.reference);
        if (earlier !== undefined) return { collection: earlier, isNew: false, callbacks: [] };
        const collection = queries.insert(newCollection(body, request, timings));
        const { paysItself } = outcomeOf(collection.amountMinor);
        return { collection, isNew: true, callbacks: (paysItself && booking.confirm(collection)) || [] };
      });
      if (creation.collection.request !== request) {
        throw new BankError('reference_used', 'This reference was used with another body.');
      }
      timer.arm();
      return creation;
    },
    cancel(reference) {
      const { id } = known(queries.findByReference(reference));
      queries.end(id, 'cancelled', null);
      const after = afterMove(id);
      if (after.status !== 'cancelled' || after.reason === expiredReason) throw moveRefused(after);
      return after;
    },
    confirm(collection) {
      const callbacks = store.transaction(() => booking.confirm(collection));
      const after = afterMove(collection.id);
      if (callbacks === undefined && after.confirmedAt === null) throw moveRefused(after);
      return after;
    },
    decline(collection) {
      store.transaction(() => booking.decline(collection));
      const after = afterMove(collection.id);
      if (after.status !== 'refused') throw moveRefused(after);
      return after;
    },
    start: () => timer.arm(),
    stop: () => timer.stop(),
  };
}

function known(collection: Collection | undefined): Collection {
  if (collection === undefined) throw new BankError('not_found', 'There is no such collection.');
  return collection;
}

/** A pending order lapses by itself some time after its expiry, if nobody confirms it. */
function newCollection(body: CollectionBody, request: string, { payableAfterExpiryMs }: Timings) {
  const { reference, amountMinor, currency, description, notifyUrl, returnUrl, expiresAt } = body;
  return {
    id: `bc_${randomBytes(16).toString('hex')}`,
    reference,
    request,
    amountMinor: BigInt(amountMinor),
    currency,
    description: description ?? null,
    notifyUrl,
    returnUrl: returnUrl ?? null,
    expiresAt,
    dueAt: new Date(Date.parse(expiresAt) + payableAfterExpiryMs).toISOString(),
    createdAt: new Date().toISOString(),
  };
}

/** Why an order in this state takes no further move. */
function moveRefused({ status, reason, confirmedAt }: Collection): BankError {
  if (status === 'paid') return new BankError('already_paid', 'The order is already paid.');
  if (status === 'refused') return new BankError('already_refused', 'The order was already refused.');
  if (status === 'pending' && confirmedAt !== null) {
    return new BankError('payment_under_way', 'The payer has confirmed; the payment is under way.');
  }
  if (reason === expiredReason) return new BankError('expired', 'The order can no longer be paid.');
  return new BankError('already_cancelled', 'The order was already cancelled.');
}
