import { z } from 'zod';
import { currencyField } from './fields.ts';
import type { Store } from './store.ts';

const statementRow = z.object({
  kind: z.enum(['collection', 'payout', 'refund']),
  reference: z.string(),
  status: z.string(),
  amountMinor: z.bigint(),
  currency: currencyField,
  createdAt: z.string(),
  /** Of a collection; null otherwise. */
  method: z.string().nullable(),
});

/** An order of any kind, as the bank has it now. */
export type StatementRow = z.output<typeof statementRow>;

/** The orders of a page begin after this one. */
export type StatementPlace = { createdAt: string; reference: string };

/** Prepares the query of the orders that arrived from a moment on, oldest first. */
export function createStatementQuery({ db }: Store) {
  const page = (table: string, kind: string, currency: string, method = 'NULL') =>
    `SELECT '${kind}' AS kind, o.reference, o.status, o.amount_minor AS amountMinor, ${currency} AS currency,
       o.created_at AS createdAt, ${method} AS method FROM ${table}
     WHERE (o.created_at, o.reference) > (:createdAt, :reference)`;
  const list = db.prepare(
    `${page('collections o', 'collection', 'o.currency', `json_extract(o.request, '$.method')`)}
     UNION ALL ${page('payouts o', 'payout', 'o.currency')}
     UNION ALL ${page('refunds o JOIN collections c ON c.id = o.collection_id', 'refund', 'c.currency')}
     ORDER BY createdAt, reference LIMIT :limit`,
  );
  return (after: StatementPlace, limit: number): StatementRow[] =>
    z.array(statementRow).parse(list.all({ ...after, limit }));
}
