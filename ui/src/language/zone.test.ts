import { expect, test } from 'vitest';
import { addDays, dayOf, instantAt, startOfDay, timeOf, toWire } from './zone.ts';

const hourMs = 3_600_000;
const start = (day: string, zone: string) => toWire(startOfDay(day, zone));
const hoursIn = (day: string, zone: string) =>
  (startOfDay(addDays(day, 1), zone) - startOfDay(day, zone)) / hourMs;

test('a day starts at midnight in the given zone, whatever the browser’s zone', () => {
  expect(start('2026-11-20', 'Asia/Shanghai')).toBe('2026-11-19T16:00:00Z');
  expect(start('2026-11-20', 'Asia/Kolkata')).toBe('2026-11-19T18:30:00Z');
  expect(start('2026-11-20', 'America/Sao_Paulo')).toBe('2026-11-20T03:00:00Z');
  expect(start('2026-11-20', 'UTC')).toBe('2026-11-20T00:00:00Z');
});

test('a day is longer or shorter than 24 hours when the clocks change', () => {
  expect(hoursIn('2026-03-08', 'America/New_York')).toBe(23);
  expect(hoursIn('2026-11-01', 'America/New_York')).toBe(25);
  expect(hoursIn('2026-11-02', 'America/New_York')).toBe(24);
  expect(hoursIn('2026-04-05', 'Australia/Lord_Howe')).toBe(24.5);
});

test('a day whose midnight is skipped starts at its first instant', () => {
  // Clocks went from 23:59:59 on the 3rd to 01:00 on the 4th.
  expect(start('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00Z');
  expect(hoursIn('2018-11-04', 'America/Sao_Paulo')).toBe(23);
});

test('a day that the zone skipped is empty', () => {
  expect(hoursIn('2011-12-30', 'Pacific/Apia')).toBe(0);
});

test('an ambiguous clock time is its first occurrence, and a skipped one moves forward', () => {
  expect(toWire(instantAt('2026-11-01', '01:30', 'America/New_York'))).toBe('2026-11-01T05:30:00Z');
  expect(toWire(instantAt('2026-03-08', '02:30', 'America/New_York'))).toBe('2026-03-08T07:30:00Z');
  expect(instantAt('2026-03-08', '24:00', 'America/New_York')).toBe(
    startOfDay('2026-03-09', 'America/New_York'),
  );
});

test('dayOf and timeOf return the zone’s local day and time', () => {
  const instantMs = Date.parse('2026-12-31T16:05:00Z');
  expect([dayOf(instantMs, 'Asia/Shanghai'), timeOf(instantMs, 'Asia/Shanghai')]).toEqual([
    '2027-01-01',
    '00:05',
  ]);
  expect([dayOf(instantMs, 'America/New_York'), timeOf(instantMs, 'America/New_York')]).toEqual([
    '2026-12-31',
    '11:05',
  ]);
});

test('startOfDay is the first millisecond of every day of a leap year', () => {
  for (const zone of ['Asia/Ho_Chi_Minh', 'America/Santiago', 'Africa/Cairo', 'Pacific/Chatham']) {
    for (let day = '2028-01-01'; day < '2029-01-01'; day = addDays(day, 1)) {
      const instantMs = startOfDay(day, zone);
      expect(dayOf(instantMs, zone)).toBe(day);
      expect(dayOf(instantMs - 1, zone)).toBe(addDays(day, -1));
    }
  }
});

test('addDays crosses months and years', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});
