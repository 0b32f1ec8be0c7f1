import type { StatusIncident } from '@hengfu/contract/status';
import { expect, test } from 'vitest';
import { byDay, isSampleOld, stripOf, uptimeShare } from './status.rules.ts';

const day = (name: string, measured: number, degraded = 0, down = 0) => ({
  day: name,
  measured,
  degraded,
  down,
});

test('returns ninety days up to today, and does not count a day without samples as good', () => {
  const strip = stripOf(
    [day('2026-03-01', 1440), day('2026-03-02', 10, 1), day('2026-03-03', 20, 0, 2)],
    '2026-03-04',
  );
  expect(strip).toHaveLength(90);
  expect(strip[0]?.day).toBe('2025-12-05');
  expect(strip.slice(-5).map(({ level }) => level)).toEqual(['none', 'good', 'some', 'bad', 'none']);
  expect(new Set(strip.slice(0, -4).map(({ level }) => level))).toEqual(new Set(['none']));
});

test('does not count a day with a short outage as bad', () => {
  expect(stripOf([day('2026-03-04', 1440, 0, 143)], '2026-03-04').at(-1)?.level).toBe('some');
  expect(stripOf([day('2026-03-04', 1440, 0, 144)], '2026-03-04').at(-1)?.level).toBe('bad');
});

test('returns 1 only for full uptime, and null if nothing was measured', () => {
  expect(uptimeShare([day('a', 100_000), day('b', 100_000, 1)])).toBe(0.9999);
  expect(uptimeShare([day('a', 10), day('b', 0)])).toBe(1);
  expect(uptimeShare([day('a', 0)])).toBeNull();
});

test('groups incidents by the day on which they began in the reader’s zone', () => {
  const incident = (id: string, startedAt: string) => ({ id, startedAt }) as StatusIncident;
  const late = incident('3', '2026-03-04T16:30:00Z');
  const early = incident('2', '2026-03-04T15:30:00Z');
  expect(byDay([late, early], 'Asia/Shanghai')).toEqual([
    { day: '2026-03-05', incidents: [late] },
    { day: '2026-03-04', incidents: [early] },
  ]);
  expect(byDay([late, early], 'UTC')).toEqual([{ day: '2026-03-04', incidents: [late, early] }]);
});

test('treats samples as old after three minutes', () => {
  expect(isSampleOld('2026-03-04T10:03:00Z', '2026-03-04T10:00:00Z')).toBe(false);
  expect(isSampleOld('2026-03-04T10:03:01Z', '2026-03-04T10:00:00Z')).toBe(true);
  expect(isSampleOld('2026-03-04T10:00:00Z', null)).toBe(true);
});
