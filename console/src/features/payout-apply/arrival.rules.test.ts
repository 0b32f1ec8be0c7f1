import { describe, expect, it } from 'vitest';
import { arrivalOf } from './arrival.rules.ts';

const after = (seconds: number | null) => ({
  createdAt: '2026-03-01T08:00:00+08:00',
  paidAt: seconds === null ? null : new Date(Date.UTC(2026, 2, 1, 0, 0, seconds)).toISOString(),
});

describe('the arrival of payouts', () => {
  it('is the time that half of them took at most', () => {
    expect(arrivalOf([9, 1, 3, 100, 2].map(after))).toEqual({ medianMs: 3000, count: 5 });
    expect(arrivalOf([9, 1, 3, 100, 2, 4].map(after))).toEqual({ medianMs: 3000, count: 6 });
  });
  it('leaves out payouts that have not arrived', () =>
    expect(arrivalOf([1, 2, 3, null, 4, 5].map(after))?.count).toBe(5));
  it('is not known from fewer than five', () => expect(arrivalOf([1, 2, 3, 4].map(after))).toBeUndefined());
});
