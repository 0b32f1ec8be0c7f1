import { maxKeyYears } from '@hengfu/contract/access-keys';
import { expect, it } from 'vitest';
import { latestExpiry, sameLifetime } from './new-key.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-06-01T00:00:00Z');
const inDays = (days: number) => new Date(now + days * dayMs);
/** Returns the expiry of the key that replaces one which began, was given another expiry and ends at these days from now. */
const after = (began: number, changed: number | null, ends: number | null, successor: string | null = null) =>
  sameLifetime(
    {
      createdAt: inDays(began),
      expiryChangedAt: changed === null ? null : inDays(changed),
      endsAt: ends === null ? null : inDays(ends),
      successor,
    },
    now,
  );

it('a key lives as long as the one that it replaces', () => {
  expect(after(-80, null, 10)).toEqual(inDays(90));
  expect(after(-100, null, -10)).toEqual(inDays(90));
});

it('without an expiry of its own, the one before gives none', () => {
  expect(after(-80, null, null)).toBeNull();
  expect(after(-80, -1, 1, 'ak_next')).toBeNull();
  expect(sameLifetime(undefined, now)).toBeNull();
});

it('an expiry that was changed holds for the successor as well', () => {
  expect(after(-365, -1, 1)).toEqual(inDays(1));
  expect(after(-365, -3, -1)).toEqual(inDays(2));
});

it('never lives longer than a key may', () => {
  expect(after(-9 * 365, null, maxKeyYears * 365)).toEqual(latestExpiry(now));
});
