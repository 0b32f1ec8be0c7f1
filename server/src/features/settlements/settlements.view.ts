import { formatAmount } from '@hengfu/contract/money';
import type { SettlementLine, SettlementRow } from '@hengfu/contract/settlements';
import type { LineSqlRow, SettlementSqlRow } from './settlements.sql.ts';

/** Converts a batch to the console's row. */
export function toRow(row: SettlementSqlRow): SettlementRow {
  const text = (amountMinor: bigint) => formatAmount(amountMinor, row.currency);
  return {
    settlement_no: row.settlement_no,
    status: row.status,
    currency: row.currency,
    orderCount: row.order_count,
    refundCount: row.refund_count,
    amount: text(row.amount_minor),
    fee: text(row.fee_minor),
    refunded: text(row.refunded_minor),
    net: text(row.net_minor),
    cutOffAt: row.cut_off_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  };
}

/** Converts a payment or refund of a batch to the console's row. */
export function toLine(row: LineSqlRow): SettlementLine {
  const text = (amountMinor: bigint) => formatAmount(amountMinor, row.currency);
  return {
    kind: row.kind,
    refund_no: row.refund_no,
    trade_no: row.trade_no,
    out_trade_no: row.out_trade_no,
    amount: text(row.amount_minor),
    fee: text(row.fee_minor),
    fromAvailable: text(row.available_minor),
    net: text(row.net_minor),
    currency: row.currency,
    paidAt: row.paid_at.toISOString(),
    refundedAt: row.refunded_at?.toISOString() ?? null,
  };
}
