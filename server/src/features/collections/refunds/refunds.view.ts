import { formatAmount } from '@hengfu/contract/money';
import type { RefundDetail, RefundRow } from '@hengfu/contract/refunds';
import type { OpenRefund } from '@hengfu/contract/refunds.open';
import { type Refund, sourceOf } from './refunds.sql.ts';

/** Whether a refund is booked: one that waits has no fee yet, and the funds of one that failed are back where they were. */
function isBooked({ status }: Refund): boolean {
  return status === 'processing' || status === 'refunded';
}

/** Maps a refund to a row of the console's list. */
export function toRow(refund: Refund): RefundRow {
  const text = (minor: bigint) => formatAmount(minor, refund.currency);
  const booked = (minor: bigint) => (isBooked(refund) ? text(minor) : null);
  return {
    refund_no: refund.refund_no,
    out_refund_no: refund.out_refund_no,
    trade_no: refund.trade_no,
    out_trade_no: refund.out_trade_no,
    status: refund.status,
    amount: text(refund.amount_minor),
    fee: booked(refund.fee_minor),
    net: booked(refund.amount_minor - refund.fee_minor),
    fromAvailable: booked(refund.available_minor),
    currency: refund.currency,
    channel: refund.channel,
    reason: refund.reason,
    source: sourceOf(refund),
    failure: refund.failure_code,
    createdAt: refund.created_at.toISOString(),
    endedAt: refund.ended_at?.toISOString() ?? null,
  };
}

/** Maps a refund to the console's detail. */
export function toDetail(refund: Refund): RefundDetail {
  return {
    ...toRow(refund),
    approvalState: refund.approval_state,
    sentAt: refund.sent_at?.toISOString() ?? null,
    detail: refund.failure_reason,
    bankReference: refund.bank_reference,
    settlement_no: refund.settlement_no,
  };
}

/** Maps a refund to its Open API form, for replies and callbacks. */
export function toOpenRefund(refund: Refund): OpenRefund {
  const { refund_no, out_refund_no, trade_no, out_trade_no, status, amount, currency, reason, ...row } =
    toRow(refund);
  return {
    refund_no,
    out_refund_no,
    trade_no,
    out_trade_no,
    status,
    amount,
    fee: formatAmount(refund.fee_minor, refund.currency),
    currency,
    reason,
    approvalState: refund.approval_state,
    failureCode: row.failure,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
  };
}
