import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectionFee, queryDelaySeconds } from './collections.rules.ts';

describe('the fee of a collection', () => {
  it.each([
    [10_000n, 6000, 0n, 60n],
    [1n, 6000, 0n, 0n],
    [84n, 6000, 0n, 1n],
    [83n, 6000, 0n, 0n],
    [10_000n, 6000, 50n, 110n],
    [100n, 0, 500n, 100n],
  ])('of %d at %d ppm + %d is %d', (amountMinor, ratePpm, fixedMinor, fee) => {
    expect(collectionFee(amountMinor, { ratePpm, fixedMinor })).toBe(fee);
  });

  it('is never negative and never more than the amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 15n),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.bigInt(0n, 10n ** 6n),
        (amountMinor, ratePpm, fixedMinor) => {
          const fee = collectionFee(amountMinor, { ratePpm, fixedMinor });
          expect(fee >= 0n && fee <= amountMinor).toBe(true);
        },
      ),
    );
  });
});

it('queries a silent channel with exponential backoff, but at least every hour', () => {
  const delays = Array.from({ length: 20 }, (_, attempt) => queryDelaySeconds(attempt));
  expect(delays.slice(0, 4)).toEqual([10, 20, 40, 80]);
  expect(Math.max(...delays)).toBe(3600);
});
