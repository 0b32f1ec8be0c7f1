import { type Currency, parseAmount } from '@hengfu/contract/money';
import { homeOf, parseRate, usdtOf, worthOf } from '@hengfu/contract/rates';

/** A merchant's withdrawal terms; USDT in minor units, the rate in units of 10⁻⁸. */
export interface Terms {
  rate: bigint;
  rateText: string;
  rateAt: Date;
  /** US dollars per USDT; null if the service has no rate for them. */
  usdRate: string | null;
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
  /** Null without a rate for US dollars. */
  usdMinor: bigint | null;
}

/**
 * Calculates a withdrawal's figures in USDT, local currency and US dollars; undefined if the amount is invalid for its
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
  const usdRate = terms.usdRate === null ? undefined : parseRate(terms.usdRate);
  const feeUsdtMinor = terms.madeToday < terms.freePerDay ? 0n : terms.feeUsdtMinor;
  return {
    usdtMinor,
    feeUsdtMinor,
    amountMinor: unit === 'usdt' ? homeOf(given, terms.rate, currency) : given,
    feeMinor: homeOf(feeUsdtMinor, terms.rate, currency),
    usdMinor: usdRate === undefined ? null : worthOf(usdtMinor, usdRate, 'USD'),
  };
}
