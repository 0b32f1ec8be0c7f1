import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

/** Buckets of three, one token a second, under a clock of the test's own. */
function buckets(most = 100) {
  const clock = { ms: 0 };
  const made = new TokenBuckets({ burst: 3, perSecond: 1 }, most, () => clock.ms);
  const tryTake = (key: string): boolean => {
    const isThere = made.waitMs(key) === 0;
    if (isThere) made.take(key);
    return isThere;
  };
  return { buckets: made, clock, tryTake };
}

describe('a bucket', () => {
  it('gives its burst at once, then as many as flow in', () => {
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

  it('is apart from others', () => {
    const { tryTake } = buckets();
    for (let index = 0; index < 4; index++) tryTake('a');
    expect([tryTake('a'), tryTake('b')]).toEqual([false, true]);
  });

  it('is forgotten last where it was used last', () => {
    const { buckets: all, tryTake } = buckets(2);
    for (let index = 0; index < 3; index++) tryTake('a');
    tryTake('b');
    tryTake('b');
    tryTake('c');
    expect(all.size).toBe(2);
    // `a` is as good as new, `b` is not.
    expect([1, 2, 3, 4].map(() => tryTake('a'))).toEqual([true, true, true, false]);
  });
});
