import type { PhraseKey } from '@hengfu/phrases/phrases';
import { bankNamesIn } from './banks.ts';
import type { Language } from './languages.ts';

/** The lists that can be exported. */
export const exportLists = [
  'collections',
  'refunds',
  'settlements',
  'settlementLines',
  'payouts',
  'topups',
  'withdrawals',
  'fundFlow',
  'dailyReports',
  'approvals',
  'auditLog',
] as const;
export type ExportList = (typeof exportLists)[number];

/**
 * The type of a column: `text` stays text everywhere; `money` is an amount in the row's currency, `usd` and
 * `usdt` in those; `count` a whole number; `time` an instant; `date` a calendar day; `choice` a value with
 * its own phrase.
 */
export type ColumnKind = 'text' | 'money' | 'usd' | 'usdt' | 'count' | 'time' | 'date' | 'choice';

/** A column: the field of the list's rows, and the phrase of its heading. */
export interface ExportColumn {
  readonly key: string;
  readonly kind: ColumnKind;
  readonly title: PhraseKey;
  /** For a choice: the prefix of its values' phrases. */
  readonly values?: string;
  /** For a text that is a code: the names to show instead, as on screen. */
  readonly namesIn?: (language: Language) => Readonly<Record<string, string>>;
}

function column(kind: ColumnKind, key: string, title: PhraseKey, values?: string): ExportColumn {
  return { key, kind, title, ...(values !== undefined && { values }) };
}

/** Every column of each list, in the order of the console. */
export const exportColumns: Readonly<Record<ExportList, readonly ExportColumn[]>> = {
  collections: [
    column('text', 'trade_no', 'collections.trade_no'),
    column('text', 'out_trade_no', 'collections.out_trade_no'),
    column('choice', 'status', 'collections.statusLabel', 'collections.status'),
    column('money', 'amount', 'collections.amount'),
    column('money', 'fee', 'collections.fee'),
    column('money', 'net', 'collections.net'),
    column('money', 'refunded', 'collections.refunded'),
    column('text', 'currency', 'exports.currency'),
    column('choice', 'settlementStatus', 'collections.settlementLabel', 'collections.settlement'),
    column('choice', 'channel', 'collections.channel', 'channels'),
    column('text', 'subject', 'collections.subject'),
    column('time', 'createdAt', 'collections.createdAt'),
    column('time', 'paidAt', 'collections.paidAt'),
    column('time', 'refundedAt', 'collections.refundedAt'),
    column('text', 'settlement_no', 'collections.settlement_no'),
  ],
  refunds: [
    column('text', 'refund_no', 'refunds.refund_no'),
    column('text', 'out_refund_no', 'refunds.out_refund_no'),
    column('text', 'trade_no', 'refunds.trade_no'),
    column('text', 'out_trade_no', 'collections.out_trade_no'),
    column('choice', 'status', 'refunds.statusLabel', 'refunds.status'),
    column('money', 'amount', 'refunds.amount'),
    column('money', 'fee', 'refunds.fee'),
    column('money', 'net', 'refunds.net'),
    column('money', 'fromAvailable', 'refunds.fromAvailable'),
    column('text', 'currency', 'exports.currency'),
    column('choice', 'channel', 'refunds.channel', 'channels'),
    column('text', 'reason', 'refunds.reason'),
    column('choice', 'source', 'refunds.source', 'refunds.sources'),
    column('time', 'createdAt', 'refunds.createdAt'),
    column('time', 'endedAt', 'refunds.endedAt'),
  ],
  settlements: [
    column('text', 'settlement_no', 'settlements.settlement_no'),
    column('choice', 'status', 'settlements.statusLabel', 'settlements.status'),
    column('count', 'orderCount', 'settlements.orderCount'),
    column('count', 'refundCount', 'settlements.refundCount'),
    column('money', 'amount', 'settlements.amount'),
    column('money', 'fee', 'settlements.fee'),
    column('money', 'refunded', 'settlements.refunded'),
    column('money', 'net', 'settlements.net'),
    column('text', 'currency', 'exports.currency'),
    column('time', 'cutOffAt', 'settlements.cutOffAt'),
    column('time', 'createdAt', 'settlements.createdAt'),
    column('time', 'settledAt', 'settlements.settledAt'),
  ],
  settlementLines: [
    column('text', 'trade_no', 'collections.trade_no'),
    column('choice', 'kind', 'settlements.kind', 'settlements.lineKind'),
    column('text', 'refund_no', 'refunds.refund_no'),
    column('money', 'amount', 'collections.amount'),
    column('money', 'fee', 'settlements.fee'),
    column('money', 'fromAvailable', 'refunds.fromAvailable'),
    column('money', 'net', 'settlements.net'),
    column('text', 'currency', 'exports.currency'),
    column('text', 'out_trade_no', 'collections.out_trade_no'),
    column('time', 'paidAt', 'collections.paidAt'),
    column('time', 'refundedAt', 'collections.refundedAt'),
  ],
  payouts: [
    column('text', 'trade_no', 'payouts.trade_no'),
    column('text', 'out_trade_no', 'payouts.out_trade_no'),
    column('choice', 'status', 'payouts.statusLabel', 'payouts.status'),
    column('choice', 'approvalState', 'approvals.stateLabel', 'approvals.states'),
    column('money', 'amount', 'payouts.amount'),
    column('money', 'fee', 'payouts.fee'),
    column('money', 'total', 'payouts.total'),
    column('text', 'currency', 'exports.currency'),
    column('text', 'payee', 'payouts.payee'),
    column('text', 'payeeAccount', 'payouts.payeeAccount'),
    { key: 'bank', kind: 'text', title: 'payouts.bank', namesIn: bankNamesIn },
    column('text', 'bankName', 'payouts.bankName'),
    column('text', 'branchName', 'payouts.branchName'),
    column('text', 'ifsc', 'payouts.ifsc'),
    column('choice', 'accountType', 'payouts.accountType', 'payouts.pixKey'),
    column('text', 'taxId', 'payouts.taxId'),
    column('choice', 'channel', 'payouts.channel', 'channels'),
    column('time', 'createdAt', 'payouts.createdAt'),
    column('time', 'paidAt', 'payouts.paidAt'),
    column('time', 'rejectedAt', 'payouts.rejectedAt'),
  ],
  topups: [
    column('text', 'trade_no', 'topups.trade_no'),
    column('choice', 'status', 'topups.statusLabel', 'topups.status'),
    column('text', 'coin', 'topups.coin'),
    column('usdt', 'usdt', 'topups.usdt'),
    column('usdt', 'arrivedUsdt', 'topups.arrivedUsdt'),
    column('usd', 'usd', 'topups.usd'),
    column('money', 'amount', 'topups.amount'),
    column('text', 'currency', 'exports.currency'),
    column('choice', 'network', 'topups.network', 'withdrawals.networks'),
    column('text', 'address', 'topups.address'),
    column('text', 'transactionId', 'topups.transactionId'),
    column('time', 'createdAt', 'topups.createdAt'),
    column('time', 'reviewedAt', 'topups.reviewedAt'),
    column('time', 'paidAt', 'topups.paidAt'),
  ],
  withdrawals: [
    column('text', 'trade_no', 'withdrawals.trade_no'),
    column('choice', 'status', 'withdrawals.statusLabel', 'withdrawals.status'),
    column('choice', 'approvalState', 'approvals.stateLabel', 'approvals.states'),
    column('text', 'coin', 'withdrawals.coin'),
    column('usdt', 'usdt', 'withdrawals.usdt'),
    column('usd', 'usd', 'withdrawals.usd'),
    column('money', 'amount', 'withdrawals.amount'),
    column('money', 'fee', 'withdrawals.fee'),
    column('text', 'currency', 'exports.currency'),
    column('choice', 'network', 'withdrawals.network', 'withdrawals.networks'),
    column('text', 'address', 'withdrawals.address'),
    column('text', 'transactionId', 'withdrawals.transactionId'),
    column('time', 'createdAt', 'withdrawals.createdAt'),
    column('time', 'paidAt', 'withdrawals.paidAt'),
  ],
  fundFlow: [
    column('time', 'createdAt', 'fundFlow.createdAt'),
    column('choice', 'type', 'fundFlow.typeLabel', 'fundFlow.type'),
    column('money', 'amount', 'fundFlow.amount'),
    column('money', 'balance', 'fundFlow.balance'),
    column('text', 'currency', 'exports.currency'),
    column('text', 'subject_no', 'fundFlow.subject_no'),
    column('count', 'entry_no', 'fundFlow.entry_no'),
  ],
  dailyReports: [
    column('date', 'date', 'dailyReports.date'),
    column('money', 'collectionAmount', 'exports.collectionAmount'),
    column('count', 'collectionCount', 'exports.collectionCount'),
    column('money', 'collectionFee', 'exports.collectionFee'),
    column('money', 'refundAmount', 'exports.refundAmount'),
    column('count', 'refundCount', 'exports.refundCount'),
    column('money', 'refundFee', 'exports.refundFee'),
    column('money', 'paymentAmount', 'exports.paymentAmount'),
    column('count', 'paymentCount', 'exports.paymentCount'),
    column('money', 'paymentFee', 'exports.paymentFee'),
    column('money', 'settlementAmount', 'exports.settlementAmount'),
    column('time', 'settlementAt', 'dailyReports.settlementAt'),
    column('text', 'utcOffset', 'dailyReports.utcOffset'),
  ],
  approvals: [
    column('text', 'request_no', 'approvals.request_no'),
    column('choice', 'kind', 'approvals.kindLabel', 'approvals.kinds'),
    column('choice', 'state', 'approvals.stateLabel', 'approvals.states'),
    column('money', 'amount', 'approvals.amount'),
    column('text', 'currency', 'exports.currency'),
    column('text', 'target', 'approvals.target'),
    column('text', 'subject_no', 'approvals.subject_no'),
    column('text', 'requestedBy', 'approvals.requestedBy'),
    column('count', 'approvals', 'approvals.approvalsOf'),
    column('count', 'needed', 'approvals.needed'),
    column('time', 'createdAt', 'approvals.createdAt'),
    column('time', 'expiresAt', 'approvals.expiresAt'),
    column('time', 'endedAt', 'approvals.endedAt'),
  ],
  auditLog: [
    column('time', 'at', 'auditLog.at'),
    column('text', 'entry_no', 'auditLog.entry_no'),
    column('choice', 'actorKind', 'auditLog.actorKind', 'auditLog.kinds'),
    column('text', 'actor', 'auditLog.actor'),
    column('text', 'actorEmail', 'auditLog.person'),
    column('text', 'actorRoles', 'auditLog.roles'),
    column('choice', 'action', 'auditLog.action', 'auditLog.actions'),
    column('text', 'subject', 'auditLog.subject'),
    column('text', 'changes', 'auditLog.changes'),
    column('text', 'address', 'auditLog.address'),
    column('text', 'userAgent', 'auditLog.userAgent'),
    column('text', 'request_id', 'auditLog.request_id'),
  ],
};

/** Filters that are not named after a column of their list. */
const otherFilters: Readonly<Record<string, ExportColumn>> = Object.fromEntries(
  (
    [
      ['link', 'paymentLinks.link_no'],
      ['batch_no', 'payoutBatches.batchNo'],
      ['settlement_no', 'settlements.settlement_no'],
      ['offset', 'dailyReports.offset'],
      ['from', 'dailyReports.from'],
      ['to', 'dailyReports.to'],
    ] as const
  ).map(([key, title]) => [key, { key, title, kind: 'text' }]),
);

/**
 * Returns the column that a filter applies to, and which end of a range it is: `createdFrom` is the start of
 * `createdAt`.
 */
export function filterColumn(
  list: ExportList,
  name: string,
): { column: ExportColumn; end?: 'ui.since' | 'ui.until' } | undefined {
  const columnOf = (key: string) => exportColumns[list].find((one) => one.key === key);
  const [, base = '', side] = /^(.+)(From|To)$/.exec(name) ?? [];
  const ranged = side && (columnOf(base) ?? columnOf(`${base}At`));
  if (ranged) return { column: ranged, end: side === 'From' ? 'ui.since' : 'ui.until' };
  const column = columnOf(name) ?? otherFilters[name];
  return column && { column };
}
