import { type Currency, currencyScale } from '@hengfu/contract/money';
import type { Language } from '@hengfu/contract/session';
import { localeOf } from './languages.ts';

/**
 * Amounts, instants and counts as a reader of the language writes them. Pure; amounts stay decimal strings all the way
 * (`Intl` formats them exactly), never JavaScript numbers.
 */

/** Shown where there is nothing to show. */
export const nothing = '–';

/** `Intl` objects cost far more to make than to use: one per language and form is kept. */
function kept<F, O>(make: (locale: string, options: O) => F): (language: Language, options: O) => F {
  const formats = new Map<string, F>();
  return (language, options) => {
    const key = language + JSON.stringify(options);
    const known = formats.get(key);
    if (known) return known;
    const format = make(localeOf[language], options);
    formats.set(key, format);
    return format;
  };
}

const numberFormat = kept(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
const dateFormat = kept(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** A decimal text that `Intl` takes as it is, without a detour over floating point. */
function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/**
 * "1234.5" CNY → "¥1,234.50": all decimals of the currency. USDT has no ISO code: its name follows the figure, and of
 * its six decimals at least two are shown. A text that is not an amount comes back as it is.
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

/** How much of an instant is shown: `second` in lists, `full` with the zone's offset, `time` alone on a chart's axis. */
export type InstantStyle = 'full' | 'second' | 'minute' | 'time';

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const calendar = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** English names the month: 03/04 is read both ways around the world. */
function calendarOf(language: Language): Intl.DateTimeFormatOptions {
  return language === 'en' ? { ...calendar, month: 'short' } : calendar;
}

/** An instant of the wire in a zone ("Asia/Shanghai"), 24-hour clock. A text that is no instant comes back as it is. */
export function formatInstant(
  iso: string,
  zone: string,
  language: Language,
  style: InstantStyle = 'second',
): string {
  const instantMs = Date.parse(iso);
  if (Number.isNaN(instantMs)) return iso;
  // Left to itself, Chinese puts the offset between day and time.
  if (style === 'full') return `${formatInstant(iso, zone, language)} ${offsetText(instantMs, zone)}`;
  const parts: Record<Exclude<InstantStyle, 'full'>, Intl.DateTimeFormatOptions> = {
    second: { ...calendarOf(language), ...clock, second: '2-digit', timeZone: zone },
    minute: { ...calendarOf(language), ...clock, timeZone: zone },
    time: { ...clock, timeZone: zone },
  };
  return dateFormat(language, parts[style]).format(instantMs);
}

/** "UTC+8" or "UTC−3:30": the zone's offset at an instant. */
export function offsetText(instantMs: number, zone: string): string {
  const parts = dateFormat('en', { timeZoneName: 'shortOffset', timeZone: zone }).formatToParts(instantMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // "GMT+8", "GMT-3:30", and for none "GMT", "GMT+0" or "UTC".
  const ahead = /[+-](?!0$)\S+/.exec(name)?.[0] ?? '';
  return `UTC${ahead.replace('-', '−')}`;
}

/** A calendar day of the wire, "2026-03-04": no zone moves it. */
export function formatDay(day: string, language: Language): string {
  const instantMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(instantMs)) return day;
  return dateFormat(language, { ...calendarOf(language), timeZone: 'UTC' }).format(instantMs);
}

/** A calendar month of the wire, "2026-03". */
export function formatMonth(month: string, language: Language): string {
  const instantMs = Date.parse(`${month}-01T00:00:00Z`);
  if (Number.isNaN(instantMs)) return month;
  return dateFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(instantMs);
}

/** A whole number with the language's grouping. */
export function formatCount(count: number | bigint, language: Language): string {
  return numberFormat(language, { maximumFractionDigits: 0 }).format(count);
}

/** A plain decimal, "7.1523", with the language's separators and every decimal it has. */
export function formatDecimal(text: string, language: Language): string {
  return isDecimal(text) ? numberFormat(language, { maximumFractionDigits: 8 }).format(text) : text;
}

/** A share of 0–1 as a percentage with at most so many decimals; `null` (nothing to measure) is a dash. */
export function formatRate(rate: number | null, language: Language, decimals = 1): string {
  if (rate === null) return nothing;
  return numberFormat(language, { style: 'percent', maximumFractionDigits: decimals }).format(rate);
}

/** Units of time with the milliseconds from which each is used. */
const timeUnits = [
  { unit: 'day', fromMs: 172_800_000, ms: 86_400_000 },
  { unit: 'hour', fromMs: 3_600_000, ms: 3_600_000 },
  { unit: 'minute', fromMs: 60_000, ms: 60_000 },
  { unit: 'second', fromMs: 1000, ms: 1000 },
] as const;

/** How long something took: "12 ms", "1.2 sec", "3 min", with at most one decimal. */
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

/** Chinese has no space between digits and characters in `Intl`, but every phrase of ours has one. */
export function spacedHan(text: string): string {
  return text.replace(/(?<=\d)(?=\p{Script=Han})/u, ' ');
}

const kilo = 1000;
const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** The size of a file: "1.2 MB". */
export function formatBytes(bytes: number, language: Language): string {
  const step = bytes < kilo ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(localeOf[language], {
    style: 'unit',
    unit: byteUnits[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / kilo ** step);
}
