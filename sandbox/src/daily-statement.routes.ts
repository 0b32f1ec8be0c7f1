import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { statementFaults, withFaults } from './daily-statement.faults.ts';
import { camtOf, csvOf } from './daily-statement.files.ts';
import { createMovementQueries } from './daily-statement.sql.ts';
import { currencyField, momentField } from './fields.ts';
import type { Store } from './store.ts';

const statementQuery = z.strictObject({
  method: z.string().min(1).max(64),
  currency: currencyField,
  from: momentField,
  until: momentField,
  format: z.enum(['csv', 'camt053']),
  faults: z
    .string()
    .max(200)
    .default('')
    .transform((text) => text.split(',').filter((name) => name !== ''))
    .pipe(z.array(z.enum(statementFaults))),
});

/** Registers the daily statement of one payment method: what the bank has booked between two moments, with faults on demand. */
export function registerDailyStatementRoute(app: FastifyInstance, store: Store): void {
  const queries = createMovementQueries(store);
  app.get('/statements', async ({ query }, reply) => {
    const { format, faults, ...of } = statementQuery.parse(query);
    const dayMs = Date.parse(of.until) - Date.parse(of.from);
    const previous = { ...of, from: new Date(Date.parse(of.from) - dayMs).toISOString(), until: of.from };
    const statement = {
      ...of,
      openingMinor: queries.balanceAt(of),
      movements: withFaults(queries.between(of), queries.between(previous).at(-1), faults),
    };
    const isCsv = format === 'csv';
    return reply
      .type(isCsv ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8')
      .send(isCsv ? csvOf(statement) : camtOf(statement));
  });
}
