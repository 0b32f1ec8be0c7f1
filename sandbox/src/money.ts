const scaleByCurrency = { CNY: 2, USD: 2, INR: 2, BRL: 2, VND: 0, USDT: 6 } as const;

/** A currency whose scale the bank knows. */
export type Currency = keyof typeof scaleByCurrency;

/** Every currency that the bank knows. */
export const currencies = Object.keys(scaleByCurrency) as [Currency, ...Currency[]];

/**
 * Formats an amount for a locale, with all decimals of the currency's scale. `amountMinor` is integer minor
 * units; the digits never pass through a float.
 */
export function formatAmount(amountMinor: bigint, currency: Currency, locale: string): string {
  const scale = scaleByCurrency[currency];
  const digits = amountMinor.toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const decimal = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: scale,
    maximumFractionDigits: scale,
  });
  return `${currency} ${format.format(decimal as `${number}`)}`;
}

/** Writes an amount in minor units as a plain decimal number, with a sign where it is negative. */
export function plainAmount(amountMinor: bigint, currency: Currency): string {
  const scale = scaleByCurrency[currency];
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(scale + 1, '0');
  const decimals = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${amountMinor < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${decimals}`;
}
