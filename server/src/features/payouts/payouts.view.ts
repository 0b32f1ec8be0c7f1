import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { KnownPayee, PayoutDetail, PayoutRow } from '@hengfu/contract/payouts';
import type { OpenPayout } from '@hengfu/contract/payouts.open';
import type { PayoutEvents } from './cases/payout-history.ts';
import type { PayoutHistory } from './payouts.reading.ts';
import type { Payout } from './payouts.sql.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Converts a payout to a row of the console's list. */
export function toRow(order: Payout): PayoutRow {
  const text = (amountMinor: bigint, currency: Currency = order.currency) =>
    formatAmount(amountMinor, currency);
  return {
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    status: order.status,
    approvalState: order.approvalState,
    amount: text(order.amountMinor),
    fee: text(order.feeMinor),
    total: text(order.amountMinor + order.feeMinor),
    currency: order.currency,
    channel: order.channel,
    payee: order.payee,
    payeeAccount: order.payeeAccount,
    bank: order.bank,
    bankName: order.bankName,
    branchName: order.branchName,
    ifsc: order.ifsc,
    accountType: order.accountType,
    taxId: order.taxId,
    batch_line: order.batchLine,
    createdAt: order.createdAt.toISOString(),
    paidAt: iso(order.paidAt),
    rejectedAt: iso(order.rejectedAt),
  };
}

/** Converts a payout with its history to the console's detail view. */
export function toDetail({ createdBy, ...history }: PayoutHistory): PayoutDetail {
  return { ...toFacts(history), createdBy };
}

/** Converts a payout with its timeline to everything of the detail view but its creator. */
export function toFacts({ order, events }: PayoutEvents): Omit<PayoutDetail, 'createdBy'> {
  const { remark, source, bankReference } = order;
  return {
    ...toRow(order),
    remark,
    source,
    bankReference,
    batch_no: order.batchNo,
    timeline: events.map((event) => ({ ...event, at: event.at.toISOString() })),
  };
}

/** Converts a payout to its Open API form, for replies and callbacks. */
export function toOpenPayout(order: Payout): OpenPayout {
  const row = toRow(order);
  const { trade_no, out_trade_no, status, approvalState, amount, fee, currency } = row;
  const { channel, payee, payeeAccount } = row;
  return {
    trade_no,
    out_trade_no,
    status,
    approvalState,
    amount,
    fee,
    currency,
    channel,
    payee,
    payeeAccount,
    createdAt: order.createdAt.toISOString(),
    paidAt: iso(order.paidAt),
    rejectedAt: iso(order.rejectedAt),
    rejectCode: order.rejectCode,
    rejectReason: order.rejectReason,
    bankReference: order.bankReference,
  };
}

/** Returns the payee of a payout, to suggest it again. */
export function toKnownPayee(order: Payout): KnownPayee {
  const { channel, payee, payeeAccount, bank, bankName, branchName, ifsc, accountType, taxId } = order;
  return {
    channel,
    payee,
    payeeAccount,
    bank,
    bankName,
    branchName,
    ifsc,
    accountType,
    taxId,
    lastPaidAt: (order.paidAt ?? order.createdAt).toISOString(),
  };
}
