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

/** Dependencies of the collection service. */
export type CollectionParts = {
  store: Store;
  sender: CallbackSender;
  timings: Timings;
  onError: (error: unknown) => void;
};

/** The result of a creation; `callbacks` are the ids of those that the creation itself enqueued. */
export type Creation = { collection: Collection; isNew: boolean; callbacks: bigint[] };

/** The use cases of collections, for the payer's page and the service's calls alike. */
export type CollectionService = {
  /** Errors: not_found. */
  findByReference(reference: string): Collection;
  /** Finds an order by the bank's id, which the payer's page uses; undefined if there is none. */
  findById(id: string): Collection | undefined;
  /** Stores an order, once per reference. Errors: reference_used for a different body. */
  create(body: CollectionBody): Creation;
  /**
   * Cancels. Repeating it changes nothing. Errors: not_found, payment_under_way, already_paid,
   * already_refused, expired.
   */
  cancel(reference: string): Collection;
  /**
   * Confirms for the payer. Repeating it changes nothing. Errors: already_refused, already_cancelled,
   * expired.
   */
  confirm(collection: Collection): Collection;
  /**
   * Declines for the payer. Repeating it changes nothing. Errors: already_paid, payment_under_way,
   * already_cancelled, expired.
   */
  decline(collection: Collection): Collection;
  /** Processes what fell due while the bank was down, and keeps processing what falls due. */
  start(): void;
  stop(): void;
};

/** Creates the collections of a bank, over its shared store and callback sender. */
export function createCollectionService({
  store,
  sender,
  timings,
  onError,
}: CollectionParts): CollectionService {
  const queries = createCollectionQueries(store);
  const booking = createBooking(queries, sender, timings);
  const timer = createDueTimer({ nextDueAt: queries.firstDueAt, work: settleDue, onError });

  /** Processes what is due: books payments in progress and expires unpaid orders. */
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

  /** Processes what is due before rereading an order, so that the reply to a move agrees with later reads. */
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

/** Builds a new order. It expires some time after `expiresAt` if nobody confirms it. */
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

/** Returns why an order in this state allows no further move. */
function moveRefused({ status, reason, confirmedAt }: Collection): BankError {
  if (status === 'paid') return new BankError('already_paid', 'The order is already paid.');
  if (status === 'refused') return new BankError('already_refused', 'The order was already refused.');
  if (status === 'pending' && confirmedAt !== null) {
    return new BankError('payment_under_way', 'The payer has confirmed; the payment is under way.');
  }
  if (reason === expiredReason) return new BankError('expired', 'The order can no longer be paid.');
  return new BankError('already_cancelled', 'The order was already cancelled.');
}
