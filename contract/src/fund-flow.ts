import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore } from './lists.ts';
import { amount, currency } from './money.ts';

/** Reasons why available funds change: the specification's eight types. */
export const fundFlowTypes = [
  'collectionSettlement',
  'payoutDeduction',
  'payoutRefund',
  'recharge',
  'withdrawal',
  'withdrawalRejected',
  'transferIn',
  'transferOut',
] as const;
export type FundFlowType = (typeof fundFlowTypes)[number];

/** One change of available funds. */
export const fundFlowRow = z.object({
  /** Its number in the statement: 1, 2, 3 … without gaps. */
  entry_no: z.string(),
  type: z.enum(fundFlowTypes),
  /** Positive for incoming funds, negative for outgoing funds. */
  amount,
  /** Available funds after it. */
  balance: amount,
  currency,
  /** Number of the related order or batch. */
  subject_no: z.string(),
  createdAt: instant,
});
export type FundFlowRow = z.output<typeof fundFlowRow>;

/** The totals of a range of the statement: opening + in − out = closing. */
export const statementSums = z.object({
  currency,
  opening: amount,
  in: amount,
  out: amount,
  closing: amount,
  /** Entries in the range. */
  count: z.number().int(),
});
export type StatementSums = z.output<typeof statementSums>;

export const fundFlowQuery = listQuery({
  type: oneOrMore(fundFlowTypes),
  subject_no: numberFilter,
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type FundFlowQuery = z.output<typeof fundFlowQuery>;

export const fundFlowEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/fund-flow',
    summary: 'Lists the transactions of available funds, newest first.',
    access: 'session',
    perm: 'funds.read',
    query: fundFlowQuery,
    status: 200,
    reply: listReply(fundFlowRow).extend({
      /** Entries before this instant are in the archive and left out of the rows. Absent if the range has none there. */
      archivedBefore: instant.optional(),
    }),
    errors: ['too_many_requests'],
  }),
  sums: endpoint({
    method: 'GET',
    path: '/api/merchant/fund-flow/sums',
    summary:
      'Returns the totals of a range of transactions: opening + in − out = closing. The range includes its start.',
    access: 'session',
    perm: 'funds.read',
    query: z.strictObject({ createdFrom: instant.optional(), createdTo: instant.optional() }),
    status: 200,
    reply: z.object({ data: statementSums }),
    errors: ['too_many_requests'],
  }),
};
