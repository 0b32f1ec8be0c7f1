import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { CallbackSender } from './callback-sender.ts';
import { createDueTimer } from './due-timer.ts';
import { BankError } from './errors.ts';
import { amountMinorField, currencyField, httpUrlField, referenceField } from './fields.ts';
import { payoutOutcomeOf } from './payout-outcomes.ts';
import { createPayoutQueries, type Payout, type PayoutQueries } from './payouts.sql.ts';
import type { Store } from './store.ts';
import type { Timings } from './timings.ts';

/** Body of POST /v1/payouts. `amountMinor` is integer minor units; `details` are the method's own fields. */
export const payoutBody = z.strictObject({
  reference: referenceField,
  amountMinor: amountMinorField,
  currency: currencyField,
  method: z.string().regex(/^[A-Z][A-Z0-9_]{1,39}$/),
  notifyUrl: httpUrlField,
  payee: z.string().min(1).max(200),
  account: z.string().min(1).max(200),
  details: z.record(z.string().max(64), z.string().max(500)).optional(),
});
type PayoutBody = z.output<typeof payoutBody>;

/** Reason of a payout that the service voided, so that it is never paid. */
export const voidedReason = 'voided before it arrived';

/** Dependencies of the payout service. */
export type PayoutParts = {
  store: Store;
  sender: CallbackSender;
  timings: Timings;
  onError: (error: unknown) => void;
};

/** The use cases of payouts: the last digits of the amount decide each, immediately or a little later. */
export type PayoutService = ReturnType<typeof createPayoutService>;

export function createPayoutService({ store, sender, timings, onError }: PayoutParts) {
  const queries = createPayoutQueries(store);
  const decisions = createDecisions(queries, sender, timings);
  const timer = createDueTimer({ nextDueAt: queries.firstDueAt, work: settleDue, onError });

  function settleDue(): void {
    const now = new Date().toISOString();
    for (const payout of queries.due(now)) store.transaction(() => decisions.decide(payout, now));
    sender.wake();
  }

  /** Processes what is due before reading. */
  function readNow(reference: string): Payout {
    settleDue();
    return known(queries, reference);
  }

  return {
    /** Accepts a payout, once per reference. Errors: reference_used (with another body, or voided before). */
    create(body: PayoutBody): { payout: Payout; isNew: boolean; callbacks: bigint[] } {
      const request = JSON.stringify(body);
      const created = store.transaction(() => {
        const earlier = queries.findByReference(body.reference);
        if (earlier) return { payout: earlier, isNew: false, callbacks: [] };
        const callbacks = decisions.accept(body, request);
        return { payout: known(queries, body.reference), isNew: true, callbacks };
      });
      if (created.payout.request !== request) {
        throw new BankError('reference_used', 'This reference was used with another body.');
      }
      timer.arm();
      return created;
    },
    find: readNow,
    /** Ensures that a payout that never arrived is never paid; one that did arrive keeps its status. */
    void(reference: string): Payout {
      const now = new Date().toISOString();
      store.transaction(() => {
        if (queries.findByReference(reference)) return;
        const blank = { amountMinor: '1', currency: 'USD', notifyUrl: 'http://localhost/' } as const;
        const voided = {
          ...row(reference, 'voided', blank),
          status: 'refused',
          reason: voidedReason,
        } as const;
        queries.insert({ ...voided, decidedAt: now, dueAt: null, createdAt: now });
      });
      return readNow(reference);
    },
    start: () => timer.arm(),
    stop: () => timer.stop(),
  };
}

/**
 * Creates the bank's decisions. Each enqueues its callbacks in the caller's transaction and returns their
 * ids.
 */
function createDecisions(queries: PayoutQueries, sender: CallbackSender, timings: Timings) {
  function decide(payout: Payout, now: string): bigint[] {
    const { refusedReason: reason, callbackCopies } = payoutOutcomeOf(payout.amountMinor);
    const status = reason === undefined ? 'paid' : 'refused';
    if (!queries.decide(payout.id, { status, reason: reason ?? null, now })) return [];
    const { reference, id: bankId, currency, amountMinor, notifyUrl } = payout;
    const event = { reference, bankId, currency, amountMinor: String(amountMinor), occurredAt: now };
    return sender.enqueue(
      { type: `payout.${status}`, ...event, ...(reason !== undefined && { reason }) },
      notifyUrl,
      callbackCopies,
    );
  }

  return {
    decide,
    accept(body: PayoutBody, request: string): bigint[] {
      const nowMs = Date.now();
      const now = new Date(nowMs).toISOString();
      const isDelayed = payoutOutcomeOf(BigInt(body.amountMinor)).decided === 'delayed';
      const payout: Payout = { ...row(body.reference, request, body), status: 'pending' };
      const dueAt = isDelayed ? new Date(nowMs + timings.delayedMs).toISOString() : now;
      queries.insert({ ...payout, dueAt, createdAt: now });
      return isDelayed ? [] : decide(payout, now);
    },
  };
}

function known(queries: PayoutQueries, reference: string): Payout {
  const payout = queries.findByReference(reference);
  if (payout === undefined) throw new BankError('not_found', 'There is no such payout.');
  return payout;
}

function row(
  reference: string,
  request: string,
  { amountMinor, currency, notifyUrl }: Pick<PayoutBody, 'amountMinor' | 'currency' | 'notifyUrl'>,
) {
  const id = `bp_${randomBytes(16).toString('hex')}`;
  const minor = BigInt(amountMinor);
  return { id, reference, request, amountMinor: minor, currency, notifyUrl, reason: null, decidedAt: null };
}
