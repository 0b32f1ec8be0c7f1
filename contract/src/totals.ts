import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import type { ExportList } from './export-columns.ts';
import { instant, listSum, maxFilterLength } from './lists.ts';
import { phrase } from './phrase.ts';

/** The lists whose rows can be counted. */
export const countedLists = [
  'collections',
  'refunds',
  'settlements',
  'settlementLines',
  'payouts',
  'topups',
  'withdrawals',
  'fundFlow',
  'auditLog',
] as const satisfies readonly ExportList[];
export type CountedList = (typeof countedLists)[number];

const countList = z.strictObject({
  list: z.enum(countedLists, phrase('validation.choice')),
  /** The list's own filters, as its call accepts them. */
  filters: z.record(z.string().max(64), z.string().max(maxFilterLength)).default({}),
});

export const totalEndpoints = {
  count: endpoint({
    method: 'POST',
    path: '/api/merchant/totals',
    summary:
      'Counts all rows of a list and adds up their amounts, for lists whose reply has no exact total. Lines of JSON: progress of a long count, then the totals.',
    access: 'session',
    body: countList,
    status: 200,
    isStreamed: true,
    reply: z.union([
      /** Progress of a long count: the rows counted so far. */
      z.object({ counted: z.number().int() }),
      z.object({
        data: z.object({
          count: z.number().int(),
          /** Absent for a list without a sum. */
          sum: listSum.optional(),
          /** The time as of which count and sum are exact. */
          at: instant,
        }),
      }),
    ]),
    errors: ['too_many_requests'],
  }),
};
