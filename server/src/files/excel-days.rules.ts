import { copyBytes, hasBytes, type WriteValue, writeAll } from './row-format.rules.ts';

const zero = 48;
const secondsOfDay = 86_400;
const dayMs = 86_400_000;
/** Excel counts days from here, for every day after February 1900. */
const epochMs = Date.UTC(1899, 11, 30);
const dateLength = '2026-05-01'.length;

/**
 * Returns a function that writes local times (`2026-05-01 09:30:00`) and dates as Excel's numbers of days. It remembers the last
 * date: rows of one day follow each other.
 */
export function daysWriter(): WriteValue {
  let date = Buffer.from('none');
  let day = 0;
  let digits = Buffer.alloc(0);
  const use = (source: Buffer, from: number) => {
    date = Buffer.from(source.subarray(from, from + dateLength));
    day = (Date.parse(date.toString('latin1')) - epochMs) / dayMs;
    digits = Buffer.from(String(day));
  };
  return (source, from, to, out, at) => {
    if (!hasBytes(source, from, date)) use(source, from);
    if (to === from + dateLength) return writeAll(digits, out, at);
    const second =
      number(source, from + 11) * 3600 + number(source, from + 14) * 60 + number(source, from + 17);
    if (day >= firstEvenDay && day < endOfEvenDays)
      return writeFraction(day, second, out, writeAll(digits, out, at));
    return at + out.write(formatDays(day, second), at, 'latin1');
  };
}

/** Reads a number of two digits. */
function number(source: Buffer, at: number): number {
  return ((source[at] as number) - zero) * 10 + (source[at + 1] as number) - zero;
}

function formatDays(day: number, second: number): string {
  return String((day * secondsOfDay + second) / secondsOfDay);
}

/**
 * Between these days (1989 to 2079), doubles have the same spacing, so the digits after the point depend on the time of day alone.
 */
const [firstEvenDay, endOfEvenDays] = [2 ** 15, 2 ** 16];
/** Bytes for the length of a fraction, its point, and its digits, of which a double has at most twelve here. */
const fractionBytes = 14;
/** The fractions by second, as they are first used: to copy one is faster than to format a double. */
let fractions: Buffer | undefined;

/** Writes what follows the digits of one of these days: the point and the decimals, or nothing at midnight. */
function writeFraction(day: number, second: number, out: Buffer, at: number): number {
  fractions ??= Buffer.alloc(secondsOfDay * fractionBytes);
  const place = second * fractionBytes;
  const from = place + 1;
  if (fractions[place] === 0) {
    const fraction = formatDays(day, second).slice(String(day).length);
    fractions[place] = fractions.write(fraction, from, 'latin1');
  }
  return copyBytes(fractions, from, from + (fractions[place] as number), out, at);
}
