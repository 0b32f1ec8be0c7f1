import { z } from 'zod';
import { currencyField } from './fields.ts';
import type { Store } from './store.ts';

const collectionRow = z.object({
  id: z.string(),
  reference: z.string(),
  request: z.string(),
  amountMinor: z.bigint(),
  currency: currencyField,
  description: z.string().nullable(),
  notifyUrl: z.string(),
  returnUrl: z.string().nullable(),
  expiresAt: z.string(),
  status: z.enum(['pending', 'paid', 'refused', 'cancelled']),
  reason: z.string().nullable(),
  confirmedAt: z.string().nullable(),
  paidAt: z.string().nullable(),
});

/**
 * An order as the bank stores it; amount in minor units, times ISO in UTC. `pending` with a `confirmedAt` is
 * a payment in progress; `request` is the creation's body, for recognizing a repetition.
 */
export type Collection = z.output<typeof collectionRow>;

/** A new order. `dueAt` is when it next changes automatically: it is booked, or expires. */
export type NewCollection = Omit<Collection, 'status' | 'reason' | 'confirmedAt' | 'paidAt'> & {
  dueAt: string;
  createdAt: string;
};

const select = `SELECT id, reference, request, amount_minor AS amountMinor, currency, description,
  notify_url AS notifyUrl, return_url AS returnUrl, expires_at AS expiresAt, status, reason,
  confirmed_at AS confirmedAt, paid_at AS paidAt FROM collections`;

/**
 * Prepares the statements of collections. Each move is one guarded UPDATE that reports whether it took
 * effect.
 */
export function createCollectionQueries({ db }: Store) {
  const insert = db.prepare(
    `INSERT INTO collections (id, reference, request, amount_minor, currency, description, notify_url, return_url,
       expires_at, status, due_at, created_at)
     VALUES (:id, :reference, :request, :amountMinor, :currency, :description, :notifyUrl, :returnUrl,
       :expiresAt, 'pending', :dueAt, :createdAt)`,
  );
  const byReference = db.prepare(`${select} WHERE reference = :reference`);
  const byId = db.prepare(`${select} WHERE id = :id`);
  const firstDue = db.prepare(`SELECT min(due_at) AS dueAt FROM collections WHERE due_at IS NOT NULL`);
  const due = db.prepare(`${select} WHERE due_at <= :now ORDER BY due_at LIMIT 500`);
  const confirm = db.prepare(
    `UPDATE collections SET confirmed_at = :now, due_at = :dueAt
     WHERE id = :id AND status = 'pending' AND confirmed_at IS NULL AND due_at > :now`,
  );
  const book = db.prepare(
    `UPDATE collections SET status = :status, reason = :reason, paid_at = :paidAt, due_at = NULL
     WHERE id = :id AND status = 'pending' AND confirmed_at IS NOT NULL`,
  );
  const end = db.prepare(
    `UPDATE collections SET status = :status, reason = :reason, due_at = NULL
     WHERE id = :id AND status = 'pending' AND confirmed_at IS NULL`,
  );

  return {
    insert(row: NewCollection): Collection {
      insert.run(row);
      return collectionRow.parse(byReference.get({ reference: row.reference }));
    },
    findByReference(reference: string): Collection | undefined {
      return collectionRow.optional().parse(byReference.get({ reference }));
    },
    findById(id: string): Collection | undefined {
      return collectionRow.optional().parse(byId.get({ id }));
    },
    /** Returns when the next order changes automatically. */
    firstDueAt(): string | undefined {
      return z.object({ dueAt: z.string().nullable() }).parse(firstDue.get()).dueAt ?? undefined;
    },
    /** Returns the orders that are due, the earliest 500. */
    due(now: string): Collection[] {
      return z.array(collectionRow).parse(due.all({ now }));
    },
    /**
     * Confirms an order, to be booked at `dueAt`. Returns false if it has expired or is no longer pending.
     */
    confirm(id: string, now: string, dueAt: string): boolean {
      return confirm.run({ id, now, dueAt }).changes === 1n;
    },
    /** Books a confirmed payment: `paidAt` if paid, a reason if refused. */
    book(
      id: string,
      move: { status: 'paid' | 'refused'; reason: string | null; paidAt: string | null },
    ): boolean {
      return book.run({ id, ...move }).changes === 1n;
    },
    /** Ends an order that nobody has confirmed. */
    end(id: string, status: 'refused' | 'cancelled', reason: string | null): boolean {
      return end.run({ id, status, reason }).changes === 1n;
    },
  };
}

/** The prepared statements of collections. */
export type CollectionQueries = ReturnType<typeof createCollectionQueries>;
