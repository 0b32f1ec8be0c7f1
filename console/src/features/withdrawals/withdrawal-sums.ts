import { parseAmount } from '@hengfu/contract/money';
import { homeOf, parseRate, usdtOf, worthOf } from '@hengfu/contract/rates';
import type { WithdrawalTerms } from '@hengfu/contract/withdrawals';

/** The figures of a withdrawal in minor units, calculated as the server will. */
export interface WithdrawalSums {
  usdtMinor: bigint;
  feeUsdtMinor: bigint;
  amountMinor: bigint;
  feeMinor: bigint;
  totalMinor: bigint;
  /** Undefined without a rate for US dollars. */
  usdMinor: bigint | undefined;
}

/** Returns the figures for a typed amount; undefined if it is not a positive amount. */
export function sumsOf(
  terms: WithdrawalTerms,
  amount: string,
  unit: 'usdt' | 'home',
): WithdrawalSums | undefined {
  const { currency } = terms;
  const rate = parseRate(terms.rate);
  const given = parseAmount(amount.trim(), unit === 'usdt' ? 'USDT' : currency);
  if (rate === undefined || given === undefined || given <= 0n) return undefined;
  const feeUsdtMinor = terms.freeLeft > 0 ? 0n : (parseAmount(terms.feeUsdt, 'USDT') ?? 0n);
  const amountMinor = unit === 'usdt' ? homeOf(given, rate, currency) : given;
  const feeMinor = homeOf(feeUsdtMinor, rate, currency);
  const usdtMinor = unit === 'usdt' ? given : usdtOf(given, rate, currency);
  const usdRate = terms.usdRate === null ? undefined : parseRate(terms.usdRate);
  return {
    usdtMinor,
    feeUsdtMinor,
    amountMinor,
    feeMinor,
    totalMinor: amountMinor + feeMinor,
    usdMinor: usdRate && worthOf(usdtMinor, usdRate, 'USD'),
  };
}
