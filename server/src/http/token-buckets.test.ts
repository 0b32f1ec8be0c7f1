import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

/** Buckets of three tokens that refill one per second, under a fake clock. */
function buckets(maxBuckets = 100) {
  const clock = { ms: 0 };
  const made = new TokenBuckets({ burst: 3, perSecond: 1 }, maxBuckets, () => clock.ms);
  const tryTake = (key: string): boolean => {
    const hasToken = made.waitMs(key) === 0;
    if (hasToken) made.take(key);
    return hasToken;
  };
  return { buckets: made, clock, tryTake };
}

describe('a bucket', () => {
  it('allows its burst at once, then its refill rate', () => {
    const { buckets: all, clock, tryTake } = buckets();
    expect([1, 2, 3, 4].map(() => tryTake('a'))).toEqual([true, true, true, false]);
    expect(all.waitMs('a')).toBe(1000);
    clock.ms += 999;
    expect(tryTake('a')).toBe(false);
    clock.ms += 1;
    expect([tryTake('a'), tryTake('a')]).toEqual([true, false]);
    clock.ms += 60_000;
    expect([1, 2, 3, 4].map(() => tryTake('a'))).toEqual([true, true, true, false]);
  });

  it('does not affect other keys', () => {
    const { tryTake } = buckets();
    for (let index = 0; index < 4; index++) tryTake('a');
    expect([tryTake('a'), tryTake('b')]).toEqual([false, true]);
  });

  it('is evicted when it is the least recently used', () => {
    const { buckets: all, tryTake } = buckets(2);
    for (let index = 0; index < 3; index++) tryTake('a');
    tryTake('b');
    tryTake('b');
    tryTake('c');
    expect(all.size).toBe(2);
    // `a` was evicted and starts full again.
    expect([1, 2, 3, 4].map(() => tryTake('a'))).toEqual([true, true, true, false]);
  });
});
