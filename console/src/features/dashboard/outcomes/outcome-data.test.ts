import { expect, it } from 'vitest';
import { rateOf, rowsAt, timesOf } from './outcome-data.ts';

const channel = (name: string, slots: [string, number, number][]) => ({
  channel: name,
  succeeded: 0,
  lost: 0,
  slots: slots.map(([startsAt, succeeded, lost]) => ({ startsAt, succeeded, lost })),
});

it('lines up channels by day, with a gap where a channel has no outcomes', () => {
  const zone = 'America/New_York';
  const span = { from: '2026-10-31', to: '2026-11-05', unit: 'day', zone } as const;
  // The clocks change on 1 November.
  const days = ['2026-10-31T04:00:00.000Z', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'] as const;
  const channels = [
    channel('A', [
      [days[2], 1, 1],
      [days[0], 3, 0],
    ]),
    channel('B', [[days[2], 0, 2]]),
  ];
  const times = timesOf(span, channels);
  expect(times).toEqual(days);
  expect(channels.map((of) => rowsAt(of, times).map(({ rate }) => rate))).toEqual([
    [1, null, 0.5],
    [null, null, 0],
  ]);
});

it('lines up hours up to the last one that has outcomes', () => {
  const span = { from: '2026-11-20', to: '2026-11-20', unit: 'hour', zone: 'UTC' } as const;
  expect(timesOf(span, [channel('A', [['2026-11-20T02:00:00.000Z', 1, 0]])])).toEqual([
    '2026-11-20T00:00:00.000Z',
    '2026-11-20T01:00:00.000Z',
    '2026-11-20T02:00:00.000Z',
  ]);
});

it('has no rate without outcomes', () => {
  expect(rateOf({ succeeded: 0, lost: 0 })).toBeNull();
  expect(rateOf({ succeeded: 0, lost: 3 })).toBe(0);
});
