import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDay,
  formatDecimal,
  formatDuration,
  formatInstant,
  formatMoney,
  formatMonth,
  formatRate,
  offsetText,
  spacedHan,
} from './format.ts';

/** Replaces the various spaces that `Intl` puts between parts by plain ones. */
function spaced(text: string): string {
  return text.replace(/\s/g, ' ');
}

describe('amounts', () => {
  test('show all decimals of their currency, with the language’s grouping', () => {
    expect(formatMoney('1234.5', 'CNY', 'zh-cn')).toBe('¥1,234.50');
    expect(formatMoney('1234.50', 'CNY', 'en')).toBe('¥1,234.50');
    expect(spaced(formatMoney('1234.5', 'CNY', 'vi'))).toBe('1.234,50 ¥');
    expect(spaced(formatMoney('1234500', 'VND', 'vi'))).toBe('1.234.500 ₫');
    expect(formatMoney('-0.01', 'USD', 'en')).toBe('-$0.01');
  });

  test('keep every digit beyond the precision of a number', () => {
    expect(formatMoney('999999999999.99', 'INR', 'en')).toContain('999,999,999,999.99');
    expect(spaced(formatMoney('123456789012.000001', 'USDT', 'en'))).toBe('123,456,789,012.000001 USDT');
  });

  test('in USDT show at least two of the six decimals', () => {
    expect(spaced(formatMoney('5', 'USDT', 'en'))).toBe('5.00 USDT');
  });

  test('that are malformed are returned unchanged', () => {
    expect(formatMoney('1e3', 'CNY', 'en')).toBe('1e3');
    expect(formatMoney('', 'CNY', 'en')).toBe('');
  });
});

describe('instants', () => {
  const instant = '2026-03-04T16:05:06Z';

  test('are shown in the given zone, on a 24-hour clock', () => {
    expect(formatInstant(instant, 'Asia/Shanghai', 'zh-cn')).toBe('2026/03/05 00:05:06');
    expect(formatInstant(instant, 'Asia/Kolkata', 'en')).toBe('Mar 04, 2026, 21:35:06');
    expect(formatInstant(instant, 'Asia/Ho_Chi_Minh', 'vi', 'time')).toBe('23:05');
  });

  test('include the offset in the full style', () => {
    expect(formatInstant(instant, 'Asia/Shanghai', 'en', 'full')).toBe('Mar 05, 2026, 00:05:06 UTC+8');
    expect(formatInstant(instant, 'Asia/Shanghai', 'zh-cn', 'full')).toBe('2026/03/05 00:05:06 UTC+8');
    expect(formatInstant(instant, 'America/Sao_Paulo', 'en', 'full')).toContain('UTC−3');
  });

  test('that are malformed are returned unchanged', () => {
    expect(formatInstant('soon', 'Asia/Shanghai', 'en')).toBe('soon');
  });
});

test('formats a zone’s offset', () => {
  const instantMs = Date.parse('2026-11-20T00:00:00Z');
  expect(offsetText(instantMs, 'Asia/Shanghai')).toBe('UTC+8');
  expect(offsetText(instantMs, 'America/St_Johns')).toBe('UTC−3:30');
  expect(offsetText(instantMs, 'Atlantic/Reykjavik')).toBe('UTC');
});

test('puts a space between digits and Chinese characters', () => {
  expect(spacedHan('5分钟前')).toBe('5 分钟前');
  expect(spacedHan('5 minutes ago')).toBe('5 minutes ago');
});

test('keeps all decimals of an exchange rate, with the language’s separators', () => {
  expect(formatDecimal('25480.12345678', 'vi')).toBe('25.480,12345678');
  expect(formatDecimal('7.12', 'en')).toBe('7.12');
});

test('formats a calendar day without shifting it by a zone', () => {
  expect(formatDay('2026-03-04', 'zh-cn')).toBe('2026/03/04');
  expect(formatDay('2026-03-04', 'en')).toBe('Mar 04, 2026');
});

test('formats a month by name', () => {
  expect(formatMonth('2026-03', 'zh-cn')).toBe('2026年3月');
  expect(formatMonth('2026-03', 'en')).toBe('March 2026');
  expect(formatMonth('2026-03', 'vi')).toBe('tháng 3 năm 2026');
});

test('groups counts, including those beyond the precision of a number', () => {
  expect(formatCount(10_000, 'en')).toBe('10,000');
  expect(formatCount(9_007_199_254_740_993n, 'vi')).toBe('9.007.199.254.740.993');
});

test('formats a percentage with at most one decimal by default, and null as a dash', () => {
  expect(formatRate(0.98765, 'en')).toBe('98.8%');
  expect(formatRate(1, 'zh-cn')).toBe('100%');
  expect(formatRate(null, 'en')).toBe('–');
  expect(formatRate(0.9998, 'en', 2)).toBe('99.98%');
});

test('formats a duration in a fitting unit', () => {
  const durationsMs = [0, 12.4, 1250, 59_900, 60_000, 5_400_000, 172_800_000];
  expect(durationsMs.map((ms) => spaced(formatDuration(ms, 'en')))).toEqual([
    '0 ms',
    '12 ms',
    '1.3 sec',
    '59.9 sec',
    '1 min',
    '1.5 hr',
    '2 days',
  ]);
  expect(spaced(formatDuration(180_000, 'zh-cn'))).toBe('3 分钟');
});

test('writes file sizes with the plural of the language', () => {
  expect([1, 801, 1234].map((bytes) => formatBytes(bytes, 'en'))).toEqual(['1 byte', '801 bytes', '1.2 kB']);
  expect(formatBytes(801, 'zh-cn')).toBe('801 字节');
  expect([801, 1234].map((bytes) => formatBytes(bytes, 'vi'))).toEqual(['801 byte', '1,2 kB']);
});

test('writes a rate with the decimal sign of the language, and no space', () => {
  expect(formatRate(0.002, 'vi', 4)).toBe('0,2%');
  expect(formatRate(0.002, 'en', 4)).toBe('0.2%');
});
