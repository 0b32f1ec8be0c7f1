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
 * An order as the bank keeps it; amount in minor units, moments ISO in UTC.
 * `pending` with a `confirmedAt` is a payment under way; `request` is the creating body, to know a repetition by.
 */
export type Collection = z.output<typeof collectionRow>;

/** What creation writes. `dueAt` is when the pending order changes by itself next: is booked, or lapses. */
export type NewCollection = Omit<Collection, 'status' | 'reason' | 'confirmedAt' | 'paidAt'> & {
  dueAt: string;
  createdAt: string;
};

const select = `SELECT id, reference, request, amount_minor AS amountMinor, currency, description,
  notify_url AS notifyUrl, return_url AS returnUrl, expires_at AS expiresAt, status, reason,
  confirmed_at AS confirmedAt, paid_at AS paidAt FROM collections`;

/** The statements of collections. Each move is one guarded UPDATE that says whether it took place. */
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
    /** When the next order changes by itself. */
    firstDueAt(): string | undefined {
      return z.object({ dueAt: z.string().nullable() }).parse(firstDue.get()).dueAt ?? undefined;
    },
    /** The orders whose moment has come, the earliest 500. */
    due(now: string): Collection[] {
      return z.array(collectionRow).parse(due.all({ now }));
    },
    /** The payer confirms; the payment is booked at `dueAt`. Refused by any order that has lapsed or moved on. */
    confirm(id: string, now: string, dueAt: string): boolean {
      return confirm.run({ id, now, dueAt }).changes === 1n;
    },
    /** A confirmed payment ends: `paidAt` with paid, a reason with refused. */
    book(
      id: string,
      move: { status: 'paid' | 'refused'; reason: string | null; paidAt: string | null },
    ): boolean {
      return book.run({ id, ...move }).changes === 1n;
    },
    /** An order that nobody has confirmed ends. */
    end(id: string, status: 'refused' | 'cancelled', reason: string | null): boolean {
      return end.run({ id, status, reason }).changes === 1n;
    },
  };
}

/** The statements of collections, to pass about. */
export type CollectionQueries = ReturnType<typeof createCollectionQueries>;
