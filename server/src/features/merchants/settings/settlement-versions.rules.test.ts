import { expect, it } from 'vitest';
import { cycleVersions } from './settlement-versions.rules.ts';

const daily = { cycle: 'daily', weekday: null, cutOff: '00:00' } as const;
const weekly = { cycle: 'weekly', weekday: 'friday', cutOff: '18:30' } as const;
const workdays = { cycle: 'workdays', weekday: null, cutOff: '00:00' } as const;
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

it('has the current cycle alone while it was never changed', () => {
  expect(cycleVersions({ current: daily, past: [], createdAt: day(1) }, day(5))).toEqual([
    { ...daily, validFrom: day(1), isInForce: true },
  ]);
});

it('begins each cycle after the last cut-off that the one before planned', () => {
  const past = [
    { ...weekly, validUntil: day(9) },
    { ...daily, validUntil: day(3) },
  ];
  const versions = (now: Date) => cycleVersions({ current: workdays, past, createdAt: day(1) }, now);
  expect(versions(day(20))).toEqual([
    { ...workdays, validFrom: day(9), isInForce: true },
    { ...weekly, validFrom: day(3), isInForce: false },
    { ...daily, validFrom: day(1), isInForce: false },
  ]);
  // Until the planned cut-off has come, the cycle before is in force.
  expect(versions(day(8)).map(({ isInForce }) => isInForce)).toEqual([false, true, false]);
});

it('shows no version that was taken back before it counted', () => {
  const past = [{ ...daily, validUntil: day(3) }];
  expect(cycleVersions({ current: daily, past, createdAt: day(1) }, day(2))).toEqual([
    { ...daily, validFrom: day(1), isInForce: true },
  ]);
});
