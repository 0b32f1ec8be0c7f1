import { z } from 'zod';
import { currencyField } from './fields.ts';
import type { Store } from './store.ts';

const payoutRow = z.object({
  id: z.string(),
  reference: z.string(),
  request: z.string(),
  amountMinor: z.bigint(),
  currency: currencyField,
  notifyUrl: z.string(),
  status: z.enum(['pending', 'paid', 'refused']),
  reason: z.string().nullable(),
  decidedAt: z.string().nullable(),
});

/**
 * A payout as the bank stores it; amount in minor units, times ISO in UTC. `request` is the creation's body.
 */
export type Payout = z.output<typeof payoutRow>;

/** A new payout. `dueAt` is when the bank decides; null for one that is decided already. */
export type NewPayout = Payout & { dueAt: string | null; createdAt: string };

const select = `SELECT id, reference, request, amount_minor AS amountMinor, currency, notify_url AS notifyUrl, status,
  reason, decided_at AS decidedAt FROM payouts`;

/** Prepares the statements of payouts. */
export function createPayoutQueries({ db }: Store) {
  const insert = db.prepare(
    `INSERT INTO payouts (id, reference, request, amount_minor, currency, notify_url, status, reason, decided_at,
       due_at, created_at)
     VALUES (:id, :reference, :request, :amountMinor, :currency, :notifyUrl, :status, :reason, :decidedAt,
       :dueAt, :createdAt)`,
  );
  const byReference = db.prepare(`${select} WHERE reference = :reference`);
  const firstDue = db.prepare(`SELECT min(due_at) AS dueAt FROM payouts WHERE due_at IS NOT NULL`);
  const due = db.prepare(`${select} WHERE due_at <= :now ORDER BY due_at LIMIT 500`);
  const decide = db.prepare(
    `UPDATE payouts SET status = :status, reason = :reason, decided_at = :now, due_at = NULL
     WHERE id = :id AND status = 'pending'`,
  );

  return {
    insert(row: NewPayout): void {
      insert.run(row);
    },
    findByReference(reference: string): Payout | undefined {
      return payoutRow.optional().parse(byReference.get({ reference }));
    },
    /** Returns when the bank decides the next payout. */
    firstDueAt(): string | undefined {
      return z.object({ dueAt: z.string().nullable() }).parse(firstDue.get()).dueAt ?? undefined;
    },
    /** Returns the payouts that are due, the earliest 500. */
    due(now: string): Payout[] {
      return z.array(payoutRow).parse(due.all({ now }));
    },
    /** Records the bank's decision; returns false if it had decided before. */
    decide(id: string, move: { status: 'paid' | 'refused'; reason: string | null; now: string }): boolean {
      return decide.run({ id, ...move }).changes === 1n;
    },
  };
}

/** The prepared statements of payouts. */
export type PayoutQueries = ReturnType<typeof createPayoutQueries>;
