import type { Dashboard } from '@hengfu/contract/dashboard';
import { expect, test } from 'vitest';
import { startOfDay, toWire } from '../../ui/zone.ts';
import { plotData, trendHours } from './trend-data.ts';

const hourMs = 3_600_000;

/** Builds a reply with every hour since yesterday's midnight. Each hour's amounts contain its index. */
function reply(
  zone: string,
  yesterday: string,
  today: string,
  hoursOfToday: number,
): Parameters<typeof trendHours>[0] {
  const start = startOfDay(yesterday, zone);
  const count = (startOfDay(today, zone) - start) / hourMs + hoursOfToday;
  const figures = { amount: '0.00', count: 0, successRate: null };
  const hours: Dashboard['hours'] = Array.from({ length: count }, (_, index) => ({
    startsAt: toWire(start + index * hourMs),
    collected: `${index}.10`,
    collectedCount: index,
    paidOut: `${index}.20`,
  }));
  return { zone, today: { date: today, collection: figures, payout: figures }, hours };
}

test('pairs each hour of today with the same hour of yesterday and leaves future hours empty', () => {
  const hours = trendHours(reply('Asia/Shanghai', '2026-11-19', '2026-11-20', 3));
  expect(hours).toHaveLength(24);
  expect(hours[2]).toEqual({
    from: '02:00',
    to: '03:00',
    collected: '26.10',
    collectedCount: 26,
    collectedYesterday: '2.10',
    paidOut: '26.20',
  });
  expect(hours[3]).toMatchObject({ collected: null, paidOut: null, collectedYesterday: '3.10' });
  expect(hours[23]).toMatchObject({ from: '23:00', to: '24:00' });
});

test('gives a short day 23 hours, without the one that was skipped', () => {
  const hours = trendHours(reply('America/New_York', '2026-03-07', '2026-03-08', 23));
  expect(hours.map((hour) => hour.from).slice(0, 4)).toEqual(['00:00', '01:00', '03:00', '04:00']);
  expect(hours).toHaveLength(23);
  expect(hours[22]).toMatchObject({
    from: '23:00',
    to: '24:00',
    collected: '46.10',
    collectedYesterday: '22.10',
  });
});

test('gives a long day 25 hours, with one clock time twice and no counterpart of yesterday for the last hour', () => {
  const hours = trendHours(reply('America/New_York', '2026-10-31', '2026-11-01', 25));
  expect(hours.map((hour) => hour.from).slice(0, 4)).toEqual(['00:00', '01:00', '01:00', '02:00']);
  expect(hours).toHaveLength(25);
  expect(hours[24]).toMatchObject({ collected: '48.10', collectedYesterday: null });
});

test('plots one number per point and gaps for hours without data', () => {
  const [xs, collected, , paidOut] = plotData(
    trendHours(reply('Asia/Kolkata', '2026-11-19', '2026-11-20', 1)),
  );
  expect(xs).toHaveLength(24);
  expect(collected?.slice(0, 2)).toEqual([24.1, null]);
  expect(paidOut?.slice(0, 2)).toEqual([24.2, null]);
});
