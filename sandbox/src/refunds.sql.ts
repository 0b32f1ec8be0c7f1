import { z } from 'zod';
import type { Store } from './store.ts';

const refundRow = z.object({
  /** Null for a refund that an earlier version has recorded. */
  id: z.string().nullable(),
  reference: z.string(),
  request: z.string(),
  status: z.enum(['refunded', 'refused', 'pending']),
  reason: z.string().nullable(),
});

/** A refund with its decision, which is final unless it is pending; `id` is the bank's number, `request` the creation's body. */
export type Refund = z.output<typeof refundRow>;

/** A new refund; amount in minor units. */
export type NewRefund = Refund & { collectionId: string; amountMinor: bigint; createdAt: string };

/** Prepares the statements of refunds. */
export function createRefundQueries({ db }: Store) {
  const insert = db.prepare(
    `INSERT INTO refunds (id, reference, request, collection_id, amount_minor, status, reason, created_at)
     VALUES (:id, :reference, :request, :collectionId, :amountMinor, :status, :reason, :createdAt)`,
  );
  const find = db.prepare(
    `SELECT id, reference, request, status, reason FROM refunds WHERE reference = :reference`,
  );
  const total = db.prepare(
    `SELECT coalesce(sum(amount_minor), 0) AS totalMinor FROM refunds
     WHERE collection_id = :collectionId AND status IN ('refunded', 'pending')`,
  );

  const insertVoided = db.prepare(
    'INSERT INTO voided_refunds (reference, created_at) VALUES (:reference, :createdAt) ON CONFLICT DO NOTHING',
  );
  const findVoided = db.prepare('SELECT reference FROM voided_refunds WHERE reference = :reference');

  return {
    /** Ensures that no refund is ever made under a reference. */
    void(reference: string, createdAt: string): void {
      insertVoided.run({ reference, createdAt });
    },
    isVoided(reference: string): boolean {
      return findVoided.get({ reference }) !== undefined;
    },
    insert(row: NewRefund): void {
      insert.run(row);
    },
    find(reference: string): Refund | undefined {
      return refundRow.optional().parse(find.get({ reference }));
    },
    /** Returns how much of a collection has been refunded, or will be, in minor units. */
    refundedMinor(collectionId: string): bigint {
      return z.object({ totalMinor: z.bigint() }).parse(total.get({ collectionId })).totalMinor;
    },
  };
}
