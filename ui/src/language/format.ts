import { type Language, localeOf } from '@hengfu/contract/languages';
import { type Currency, currencyScale } from '@hengfu/contract/money';

/**
 * Formats amounts, instants and counts for a language. Pure functions. Amounts stay decimal strings, which
 * `Intl` formats exactly, and never become JavaScript numbers.
 */

/** Placeholder for an absent value. */
export const nothing = '–';

/** Caches formatters by language and options, because `Intl` objects are expensive to create. */
function cached<F, O>(make: (locale: string, options: O) => F): (language: Language, options: O) => F {
  const formats = new Map<string, F>();
  return (language, options) => {
    const key = language + JSON.stringify(options);
    const existing = formats.get(key);
    if (existing) return existing;
    const format = make(localeOf[language], options);
    formats.set(key, format);
    return format;
  };
}

const numberFormat = cached(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
const dateFormat = cached(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** Whether `Intl` can format the text exactly, without a detour through floating point. */
function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/**
 * Formats an amount with all decimals of its currency: "1234.5" CNY → "¥1,234.50". USDT has no ISO code, so
 * its name follows the number, with two to six decimals. Returns malformed text unchanged.
 */
export function formatMoney(amount: string, currency: Currency, language: Language): string {
  if (!isDecimal(amount)) return amount;
  const scale = currencyScale[currency];
  if (currency === 'USDT') {
    const figure = numberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: scale });
    return `${figure.format(amount)}\u00a0USDT`;
  }
  return numberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: scale,
    maximumFractionDigits: scale,
  }).format(amount);
}

/** Formats each amount of a text that names its currency, such as "28.50 CNY" or "0.6% + 1.50 CNY", and leaves the rest unchanged. */
export function formatAmountsIn(text: string, language: Language): string {
  return text.replaceAll(/(-?\d+(?:\.\d+)?) ([A-Z]{3,4})\b/g, (written, amount: string, code: string) =>
    Object.hasOwn(currencyScale, code) ? formatMoney(amount, code as Currency, language) : written,
  );
}

/** Formats a rounded amount in few characters, for chart axes: "¥1.2K". USDT stands without its name. */
export function formatCompactMoney(amount: number, currency: Currency, language: Language): string {
  return numberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
    ...(currency !== 'USDT' && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  }).format(amount);
}

/**
 * Parts of an instant: `second` for lists, `full` adds the zone's offset, `time` is the time for chart axes.
 */
export type InstantStyle = 'full' | 'second' | 'minute' | 'time';

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const calendar = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** English spells out the month, because 03/04 is ambiguous. */
function calendarOf(language: Language): Intl.DateTimeFormatOptions {
  return language === 'en' ? { ...calendar, month: 'short' } : calendar;
}

/**
 * Formats an ISO 8601 instant in a zone ("Asia/Shanghai"), 24-hour clock. Returns malformed text unchanged.
 */
export function formatInstant(
  iso: string,
  zone: string,
  language: Language,
  style: InstantStyle = 'second',
): string {
  const instantMs = Date.parse(iso);
  if (Number.isNaN(instantMs)) return iso;
  // Added by hand, because in Chinese `Intl` puts the offset between day and time.
  if (style === 'full') return `${formatInstant(iso, zone, language)} ${offsetText(instantMs, zone)}`;
  const parts: Record<Exclude<InstantStyle, 'full'>, Intl.DateTimeFormatOptions> = {
    second: { ...calendarOf(language), ...clock, second: '2-digit', timeZone: zone },
    minute: { ...calendarOf(language), ...clock, timeZone: zone },
    time: { ...clock, timeZone: zone },
  };
  return dateFormat(language, parts[style]).format(instantMs);
}

/** Formats a zone's offset at an instant: "UTC+8", "UTC−3:30". */
export function offsetText(instantMs: number, zone: string): string {
  const parts = dateFormat('en', { timeZoneName: 'shortOffset', timeZone: zone }).formatToParts(instantMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // "GMT+8", "GMT-3:30"; without an offset "GMT", "GMT+0" or "UTC".
  const ahead = /[+-](?!0$)\S+/.exec(name)?.[0] ?? '';
  return `UTC${ahead.replace('-', '−')}`;
}

/** Formats a calendar day, "2026-03-04", independent of any zone. */
export function formatDay(day: string, language: Language): string {
  const instantMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(instantMs)) return day;
  return dateFormat(language, { ...calendarOf(language), timeZone: 'UTC' }).format(instantMs);
}

/** Formats a calendar day without its year, for chart axes. */
export function formatShortDay(day: string, language: Language): string {
  const instantMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(instantMs)) return day;
  const month = language === 'en' ? 'short' : 'numeric';
  return dateFormat(language, { month, day: 'numeric', timeZone: 'UTC' }).format(instantMs);
}

/** Formats a calendar month, "2026-03". */
export function formatMonth(month: string, language: Language): string {
  const instantMs = Date.parse(`${month}-01T00:00:00Z`);
  if (Number.isNaN(instantMs)) return month;
  return dateFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(instantMs);
}

/** Formats a whole number with the language's grouping. */
export function formatCount(count: number | bigint, language: Language): string {
  return numberFormat(language, { maximumFractionDigits: 0 }).format(count);
}

/** Formats a plain decimal, "7.1523", with the language's separators. Keeps up to eight decimals. */
export function formatDecimal(text: string, language: Language): string {
  return isDecimal(text) ? numberFormat(language, { maximumFractionDigits: 8 }).format(text) : text;
}

/** Formats a share of 0–1 as a percentage with at most `decimals` decimals; `null` (no data) is a dash. */
export function formatRate(rate: number | null, language: Language, decimals = 1): string {
  if (rate === null) return nothing;
  return numberFormat(language, { style: 'percent', maximumFractionDigits: decimals }).format(rate);
}

/** Units of time, with the duration in milliseconds from which each is used. */
const timeUnits = [
  { unit: 'day', fromMs: 172_800_000, ms: 86_400_000 },
  { unit: 'hour', fromMs: 3_600_000, ms: 3_600_000 },
  { unit: 'minute', fromMs: 60_000, ms: 60_000 },
  { unit: 'second', fromMs: 1000, ms: 1000 },
] as const;

/** Formats a duration with at most one decimal: "12 ms", "1.2 sec", "3 min". */
export function formatDuration(durationMs: number, language: Language): string {
  const { unit, ms } = timeUnits.find(({ fromMs }) => durationMs >= fromMs) ?? { unit: 'millisecond', ms: 1 };
  const decimals = ms === 1 ? 0 : 1;
  const text = numberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: decimals,
  }).format(durationMs / ms);
  return spacedHan(text);
}

/** Puts a space between digits and Chinese characters, as our phrases do; `Intl` leaves it out. */
export function spacedHan(text: string): string {
  return text.replace(/(?<=\d)(?=\p{Script=Han})/u, ' ');
}

const kilo = 1000;
const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a file size: "801 bytes", "1.2 MB". */
export function formatBytes(bytes: number, language: Language): string {
  const step = bytes < kilo ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
  const text = numberFormat(language, {
    style: 'unit',
    unit: byteUnits[step] ?? 'byte',
    // The short form of bytes has no plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / kilo ** step);
  return spacedHan(text);
}
