import { type Currency, parseAmount } from '@hengfu/contract/money';
import { homeOf, usdtOf } from '@hengfu/contract/rates';

/** A merchant's withdrawal terms; USDT in minor units, the rate in units of 10⁻⁸. */
export interface Terms {
  rate: bigint;
  rateText: string;
  rateAt: Date;
  feeUsdtMinor: bigint;
  freePerDay: number;
  minimumUsdtMinor: bigint;
  /** Today's withdrawals that were not rejected. */
  madeToday: number;
}

/** The figures of a withdrawal, all in minor units. */
export interface Sums {
  usdtMinor: bigint;
  feeUsdtMinor: bigint;
  amountMinor: bigint;
  feeMinor: bigint;
}

/**
 * Calculates a withdrawal's figures in USDT and local currency; undefined if the amount is invalid for its
 * unit.
 */
export function sumsOf(
  { amount, unit }: { amount: string; unit: 'usdt' | 'home' },
  currency: Currency,
  terms: Terms,
): Sums | undefined {
  const given = parseAmount(amount, unit === 'usdt' ? 'USDT' : currency);
  if (given === undefined || given <= 0n) return undefined;
  const usdtMinor = unit === 'usdt' ? given : usdtOf(given, terms.rate, currency);
  const feeUsdtMinor = terms.madeToday < terms.freePerDay ? 0n : terms.feeUsdtMinor;
  return {
    usdtMinor,
    feeUsdtMinor,
    amountMinor: unit === 'usdt' ? homeOf(given, terms.rate, currency) : given,
    feeMinor: homeOf(feeUsdtMinor, terms.rate, currency),
  };
}
