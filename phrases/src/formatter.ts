/** One format per language: creating one takes longer than the rest of a phrase. */
const numberFormats = new Map<string | undefined, Intl.NumberFormat>();

function numberFormat(language: string | undefined): Intl.NumberFormat {
  const known = numberFormats.get(language) ?? new Intl.NumberFormat(language);
  numberFormats.set(language, known);
  return known;
}

const unitFormats = new Map<string, Intl.NumberFormat>();

function unitText(count: number, unit: string, language: string | undefined): string {
  const key = `${language} ${unit}`;
  // In Chinese, the long form of a second is 秒钟, and no space follows the number; our texts write "30 秒".
  const isChinese = language?.startsWith('zh') === true;
  const unitDisplay = isChinese ? 'short' : 'long';
  const known = unitFormats.get(key) ?? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay });
  unitFormats.set(key, known);
  const text = known.format(count);
  return isChinese ? text.replace(/(\d)\s*(?=\D+$)/, '$1 ') : text;
}

const minuteSeconds = 60;
const hourMinutes = 60;

/** Puts a wait into words: in seconds below a minute, otherwise in hours and minutes, rounded up ("1 hour 5 minutes"). */
function waitText(seconds: number, language: string | undefined): string {
  if (seconds < minuteSeconds) return unitText(seconds, 'second', language);
  const minutes = Math.ceil(seconds / minuteSeconds);
  const [hours, rest] = [Math.floor(minutes / hourMinutes), minutes % hourMinutes];
  const parts = [
    hours > 0 && unitText(hours, 'hour', language),
    rest > 0 && unitText(rest, 'minute', language),
  ];
  return parts.filter((part) => part !== false).join(' ');
}

/**
 * Formats the values of placeholders, as a formatter module of i18next: numbers as the language writes them
 * ("1,800", "1.800"), seconds of a `wait` in words, other values unchanged.
 */
export const formatter = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format(value: unknown, format?: string, language?: string): string {
    if (typeof value === 'number' && format === 'wait') return waitText(value, language);
    // i18next turns other values into text itself.
    return typeof value === 'number' ? numberFormat(language).format(value) : (value as string);
  },
} as const;
