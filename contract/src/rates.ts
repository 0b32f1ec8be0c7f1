import { type Currency, currencyScale } from './money.ts';

/** Decimals of a rate. */
const rateDecimals = 8;
const usdtDecimals = currencyScale.USDT;

/** Parses a rate "7.1523" (local currency per USDT) into units of 10⁻⁸; undefined if the text is invalid. */
export function parseRate(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rate = BigInt(whole + decimals.padEnd(rateDecimals, '0'));
  return rate > 0n ? rate : undefined;
}

/**
 * Calculates what an amount of USDT costs in the local currency, in minor units, rounded up so that nobody is
 * short of what was promised.
 */
export function homeOf(usdtMinor: bigint, rate: bigint, currency: Currency): bigint {
  const divisor = 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
  return (usdtMinor * rate + divisor - 1n) / divisor;
}

/**
 * Calculates what an amount of USDT is worth in a currency, in minor units, rounded down so that no more is
 * credited than arrived.
 */
export function worthOf(usdtMinor: bigint, rate: bigint, currency: Currency): bigint {
  return (usdtMinor * rate) / 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
}

/** Calculates the most USDT that an amount of the local currency buys, in minor units: rounded down. */
export function usdtOf(homeMinor: bigint, rate: bigint, currency: Currency): bigint {
  const factor = 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
  return (homeMinor * factor) / rate;
}

/**
 * Calculates the least USDT, in minor units but whole cents, that is worth at least an amount of the local
 * currency.
 */
export function usdtFor(homeMinor: bigint, rate: bigint, currency: Currency): bigint {
  const cent = 10n ** BigInt(usdtDecimals - 2);
  const factor = 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
  const divisor = rate * cent;
  return ((homeMinor * factor + divisor - 1n) / divisor) * cent;
}
