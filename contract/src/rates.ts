import { type Currency, currencyScale } from './money.ts';

/** Decimals of a rate. */
const rateDecimals = 8;
const usdtDecimals = currencyScale.USDT;

/** A rate "7.1523" (home currency for one USDT) in parts of 10⁻⁸; undefined where the text is none. */
export function parseRate(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rate = BigInt(whole + decimals.padEnd(rateDecimals, '0'));
  return rate > 0n ? rate : undefined;
}

/** What an amount of USDT costs in the home currency, in minor units, rounded up: nobody is short of what was promised. */
export function homeOf(usdtMinor: bigint, rate: bigint, currency: Currency): bigint {
  const divisor = 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
  return (usdtMinor * rate + divisor - 1n) / divisor;
}

/** What an amount of USDT is worth in a currency, in minor units, rounded down: no more is credited than arrived. */
export function worthOf(usdtMinor: bigint, rate: bigint, currency: Currency): bigint {
  return (usdtMinor * rate) / 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
}

/** The most USDT that an amount of the home currency buys, in minor units: rounded down. */
export function usdtOf(homeMinor: bigint, rate: bigint, currency: Currency): bigint {
  const factor = 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
  return (homeMinor * factor) / rate;
}

/** The least USDT, in whole cents, that is worth no less than an amount of the home currency, in minor units. */
export function usdtFor(homeMinor: bigint, rate: bigint, currency: Currency): bigint {
  const cent = 10n ** BigInt(usdtDecimals - 2);
  const factor = 10n ** BigInt(rateDecimals + usdtDecimals - currencyScale[currency]);
  const divisor = rate * cent;
  return ((homeMinor * factor + divisor - 1n) / divisor) * cent;
}
