import * as z from 'zod';
import type { settlementStatuses } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore } from './lists.ts';
import { amount, currency } from './money.ts';

/** The states of a batch: `pendingSettlement` from its creation, `settled` once its money is available. */
export const batchStatuses = [
  'pendingSettlement',
  'settled',
] as const satisfies readonly (typeof settlementStatuses)[number][];
export type BatchStatus = (typeof batchStatuses)[number];
/** The allowed moves of a batch. */
export const batchMoves: Record<BatchStatus, readonly BatchStatus[]> = {
  pendingSettlement: ['settled'],
  settled: [],
};

export const settlementRow = z.object({
  settlement_no: z.string(),
  status: z.enum(batchStatuses),
  currency,
  /** Payments in the batch. */
  orderCount: z.number().int(),
  /** Refunds that are deducted from this batch: of its payments, or of payments in earlier ones. */
  refundCount: z.number().int(),
  /** Sum of the payments' amounts. */
  amount,
  /** Sum of the payments' fees. */
  fee: amount,
  /** Sum that refunds deduct: amount − fee of each, less what was taken from available funds. */
  refunded: amount,
  /** amount − fee − refunded: what moved from unsettled to available. */
  net: amount,
  /** The batch contains orders paid before this instant. */
  cutOffAt: instant,
  createdAt: instant,
  settledAt: instant.nullable(),
});
export type SettlementRow = z.output<typeof settlementRow>;

export const settlementLineKinds = ['payment', 'refund'] as const;

export const settlementLine = z.object({
  kind: z.enum(settlementLineKinds),
  /** The refund's own number; null for a payment. */
  refund_no: z.string().nullable(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  amount,
  fee: amount,
  /** The part of a refund that was taken from available funds, and so is not deducted here. */
  fromAvailable: amount,
  /** Negative for a refund. The lines' nets add up to the batch's. */
  net: amount,
  currency,
  paidAt: instant,
  refundedAt: instant.nullable(),
});
export type SettlementLine = z.output<typeof settlementLine>;

export const settlementQuery = listQuery({
  settlement_no: numberFilter,
  status: oneOrMore(batchStatuses),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
  settledFrom: instant.optional(),
  settledTo: instant.optional(),
});
export type SettlementQuery = z.output<typeof settlementQuery>;

/** The path parameter of one batch. */
export const byNumber = z.object({ settlement_no: z.string().max(64) });

export const settlementEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/settlements',
    summary: 'Lists settlements, newest first.',
    access: 'session',
    perm: 'settlements.read',
    query: settlementQuery,
    status: 200,
    reply: listReply(settlementRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/settlements/:settlement_no',
    summary: 'Returns a settlement.',
    access: 'session',
    perm: 'settlements.read',
    params: byNumber,
    status: 200,
    reply: z.object({ data: settlementRow }),
    errors: ['not_found'],
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/merchant/settlements/:settlement_no/lines',
    summary: 'Lists the payments and refunds of a settlement; `sum` is their total net amount.',
    access: 'session',
    perm: 'settlements.read',
    params: byNumber,
    query: listQuery({}),
    status: 200,
    reply: listReply(settlementLine),
    errors: ['not_found'],
  }),
};
