import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { CollectionService } from './collections.service.ts';
import type { Collection } from './collections.sql.ts';
import { BankError } from './errors.ts';
import { amountMinorField, currencyField, referenceField } from './fields.ts';
import { createRefundQueries, type Refund } from './refunds.sql.ts';
import type { Store } from './store.ts';

/** Body of POST /v1/refunds. `amountMinor` is integer minor units. */
export const refundBody = z.strictObject({
  reference: referenceField,
  collectionReference: referenceField,
  amountMinor: amountMinorField,
  currency: currencyField,
});

/** How a refund ended. One that never arrived has no number of the bank. */
export type RefundState = {
  id: string | null;
  reference: string;
  status: Refund['status'] | 'voided';
  reason: string | null;
};

const voidedReason = 'voided before it arrived';

const tenThousand = 10_000n;
const pendingDigits = 909n;

/** Whether a refund of this amount, in minor units, is accepted and never made: its last four digits are 0909. */
const staysPending = (amountMinor: bigint) => amountMinor % tenThousand === pendingDigits;

type RefundBody = z.output<typeof refundBody>;

/** Creates the use cases of refunds. Each refund is decided immediately and finally, except those that stay pending. */
export function createRefundService(store: Store, collections: CollectionService) {
  const queries = createRefundQueries(store);

  function decide(body: RefundBody, request: string): Refund {
    const collection = collections.findByReference(body.collectionReference);
    const reason = refusal(body, collection, queries.refundedMinor(collection.id));
    const accepted = staysPending(BigInt(body.amountMinor)) ? 'pending' : 'refunded';
    const status = reason === null ? accepted : 'refused';
    const id = `br_${randomBytes(16).toString('hex')}`;
    const refund: Refund = { id, reference: body.reference, request, status, reason };
    queries.insert({
      ...refund,
      collectionId: collection.id,
      amountMinor: BigInt(body.amountMinor),
      createdAt: new Date().toISOString(),
    });
    return refund;
  }

  /** Errors: not_found. */
  function find(reference: string): RefundState {
    if (queries.isVoided(reference)) return { id: null, reference, status: 'voided', reason: voidedReason };
    const refund = queries.find(reference);
    if (refund === undefined) throw new BankError('not_found', 'There is no such refund.');
    return refund;
  }

  return {
    /** Refunds once per reference. Errors: not_found (the collection), reference_used (with another body). */
    create(body: RefundBody): Refund {
      const request = JSON.stringify(body);
      const refund = store.transaction(() => {
        if (queries.isVoided(body.reference)) return undefined;
        return queries.find(body.reference) ?? decide(body, request);
      });
      if (refund === undefined) throw new BankError('reference_used', 'This reference was voided.');
      if (refund.request !== request) {
        throw new BankError('reference_used', 'This reference was used with another body.');
      }
      return refund;
    },
    find,
    /** Ensures that a refund that never arrived is never made; one that did arrive keeps its state. */
    void(reference: string): RefundState {
      store.transaction(() => {
        if (!queries.find(reference)) queries.void(reference, new Date().toISOString());
      });
      return find(reference);
    },
  };
}

/** The use cases of refunds. */
export type RefundService = ReturnType<typeof createRefundService>;

function refusal(body: RefundBody, collection: Collection, refundedMinor: bigint): string | null {
  if (collection.status !== 'paid') return 'collection is not paid';
  if (collection.currency !== body.currency) return 'currency differs from the collection';
  if (refundedMinor + BigInt(body.amountMinor) > collection.amountMinor) return 'more than was paid';
  return null;
}
