import { formatAmount } from '@hengfu/contract/money';
import type { TopupRow } from '@hengfu/contract/topups';
import type { Topup } from './topups.sql.ts';

/** Converts a top-up to the console's row. */
export function toRow(topup: Topup): TopupRow {
  const { currency, arrivedUsdtMinor, usdMinor } = topup;
  return {
    trade_no: topup.tradeNo,
    status: topup.status,
    coin: topup.coin,
    usdt: formatAmount(topup.usdtMinor, 'USDT'),
    arrivedUsdt: arrivedUsdtMinor === null ? null : formatAmount(arrivedUsdtMinor, 'USDT'),
    amount: formatAmount(topup.amountMinor, currency),
    currency,
    usd: usdMinor === null ? null : formatAmount(usdMinor, 'USD'),
    rate: topup.rate,
    usdRate: topup.usdRate,
    network: topup.network,
    address: topup.address,
    transactionId: topup.transactionId,
    rejectReason: topup.rejectReason,
    createdAt: topup.createdAt.toISOString(),
    reviewedAt: topup.reviewedAt?.toISOString() ?? null,
    paidAt: topup.paidAt?.toISOString() ?? null,
  };
}
