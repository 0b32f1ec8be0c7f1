import { formatAmount } from '@hengfu/contract/money';
import type { WithdrawalRow } from '@hengfu/contract/withdrawals';
import type { Withdrawal } from './withdrawals.sql.ts';

/** Converts a withdrawal to the console's row. */
export function toRow(order: Withdrawal): WithdrawalRow {
  const { currency, amountMinor, feeMinor, usdMinor } = order;
  return {
    trade_no: order.tradeNo,
    status: order.status,
    approvalState: order.approvalState,
    coin: 'USDT',
    usdt: formatAmount(order.usdtMinor, 'USDT'),
    feeUsdt: formatAmount(order.feeUsdtMinor, 'USDT'),
    amount: formatAmount(amountMinor, currency),
    fee: formatAmount(feeMinor, currency),
    total: formatAmount(amountMinor + feeMinor, currency),
    currency,
    usd: usdMinor === null ? null : formatAmount(usdMinor, 'USD'),
    rate: order.rate,
    usdRate: order.usdRate,
    network: order.network,
    address: order.address,
    transactionId: order.transactionId,
    rejectReason: order.rejectReason,
    createdAt: order.createdAt.toISOString(),
    reviewedAt: order.reviewedAt?.toISOString() ?? null,
    paidAt: order.paidAt?.toISOString() ?? null,
  };
}
