import { z } from 'zod';
import { currencyField } from './fields.ts';
import type { Store } from './store.ts';

const movementRow = z.object({
  kind: z.enum(['collection', 'payout', 'refund']),
  reference: z.string(),
  bankNumber: z.string(),
  /** Positive came in. */
  amountMinor: z.bigint(),
  currency: currencyField,
  movedAt: z.string(),
});

/** Money that came in or went out at the bank, as the bank has booked it. */
export type Movement = z.output<typeof movementRow>;

/** Prepares the queries of the movements of one payment method, oldest first. */
export function createMovementQueries({ db }: Store) {
  const all = `
    SELECT 'collection' AS kind, reference, id AS bankNumber, amount_minor AS amountMinor, currency, paid_at AS movedAt
      FROM collections WHERE status = 'paid' AND json_extract(request, '$.method') = :method
    UNION ALL SELECT 'payout', reference, id, -amount_minor, currency, decided_at
      FROM payouts WHERE status = 'paid' AND json_extract(request, '$.method') = :method
    UNION ALL SELECT 'refund', r.reference, r.id, -r.amount_minor, c.currency, r.created_at
      FROM refunds r JOIN collections c ON c.id = r.collection_id
      WHERE r.status = 'refunded' AND json_extract(c.request, '$.method') = :method`;
  const between = db.prepare(
    `SELECT * FROM (${all}) WHERE currency = :currency AND movedAt >= :from AND movedAt < :until ORDER BY movedAt, reference`,
  );
  const before = db.prepare(
    `SELECT coalesce(sum(amountMinor), 0) AS totalMinor FROM (${all}) WHERE currency = :currency AND movedAt < :from`,
  );
  return {
    /** Lists the movements between two moments. */
    between(of: { method: string; currency: string; from: string; until: string }): Movement[] {
      return z.array(movementRow).parse(between.all(of));
    },
    /** Sums the movements before a moment: the balance then. */
    balanceAt({ method, currency, from }: { method: string; currency: string; from: string }): bigint {
      return z.object({ totalMinor: z.bigint() }).parse(before.get({ method, currency, from })).totalMinor;
    },
  };
}
