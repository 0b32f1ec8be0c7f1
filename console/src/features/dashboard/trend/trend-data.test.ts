import type { DashboardSlot } from '@hengfu/contract/dashboard';
import { addDays, startOfDay, toWire } from '@hengfu/ui/language/zone.ts';
import { expect, test } from 'vitest';
import { plotPoint, trendRows } from './trend-data.ts';

const hourMs = 3_600_000;

/** Builds the hours of a day. Each hour's amounts contain its index and begin with a digit of the day. */
function hoursOf(zone: string, day: string, digit: number, count?: number): DashboardSlot[] {
  const start = startOfDay(day, zone);
  const length = count ?? (startOfDay(addDays(day, 1), zone) - start) / hourMs;
  return Array.from({ length }, (_, index) => ({
    startsAt: toWire(start + index * hourMs),
    collected: `${digit}${String(index).padStart(2, '0')}.10`,
    collectedCount: index,
    paidOut: `${digit}${String(index).padStart(2, '0')}.20`,
  }));
}

/** Builds a reply of one day whose first hours have passed. */
const dayReply = (zone: string, day: string, hoursPassed?: number) => ({
  zone,
  from: day,
  unit: 'hour' as const,
  slots: hoursOf(zone, day, 2, hoursPassed),
  slotsBefore: hoursOf(zone, addDays(day, -1), 1),
});

test('pairs each hour of a day with the same hour of the day before and leaves future hours empty', () => {
  const rows = trendRows(dayReply('Asia/Shanghai', '2026-11-20', 3));
  expect(rows).toHaveLength(24);
  expect(rows[2]).toEqual({
    from: '02:00',
    to: '03:00',
    collected: '202.10',
    collectedCount: 2,
    collectedBefore: '102.10',
    paidOut: '202.20',
  });
  expect(rows[3]).toMatchObject({ collected: null, paidOut: null, collectedBefore: '103.10' });
  expect(rows[23]).toMatchObject({ from: '23:00', to: '24:00' });
});

test('gives a short day 23 hours, without the one that was skipped', () => {
  const rows = trendRows(dayReply('America/New_York', '2026-03-08'));
  expect(rows.map((row) => row.from).slice(0, 4)).toEqual(['00:00', '01:00', '03:00', '04:00']);
  expect(rows).toHaveLength(23);
  expect(rows[22]).toMatchObject({
    from: '23:00',
    to: '24:00',
    collected: '222.10',
    collectedBefore: '122.10',
  });
});

test('gives a long day 25 hours, with one clock time twice and no counterpart of the day before for the last hour', () => {
  const rows = trendRows(dayReply('America/New_York', '2026-11-01'));
  expect(rows.map((row) => row.from).slice(0, 4)).toEqual(['00:00', '01:00', '01:00', '02:00']);
  expect(rows).toHaveLength(25);
  expect(rows[24]).toMatchObject({ collected: '224.10', collectedBefore: null });
});

test('pairs each day of several with its counterpart in the period before', () => {
  const zone = 'America/New_York';
  const slotOf = (day: string, digit: number): DashboardSlot => ({
    startsAt: toWire(startOfDay(day, zone)),
    collected: `${digit}.00`,
    collectedCount: digit,
    paidOut: '0.00',
  });
  const rows = trendRows({
    zone,
    from: '2026-11-01',
    unit: 'day',
    slots: [slotOf('2026-11-01', 3), slotOf('2026-11-02', 4)],
    slotsBefore: [slotOf('2026-10-30', 1), slotOf('2026-10-31', 2)],
  });
  expect(rows.map(({ from, collected, collectedBefore }) => [from, collected, collectedBefore])).toEqual([
    ['2026-11-01', '3.00', '1.00'],
    ['2026-11-02', '4.00', '2.00'],
  ]);
});

test('plots amounts as numbers, and gaps where there is none', () => {
  expect([plotPoint('24.10'), plotPoint('0.00'), plotPoint(null)]).toEqual([24.1, 0, null]);
});
