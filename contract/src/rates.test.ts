import fc from 'fast-check';
import { expect, it } from 'vitest';
import { homeOf, parseRate, usdtOf } from './rates.ts';

it.each([
  ['7.1523', 715_230_000n],
  ['25400', 2_540_000_000_000n],
  ['0.00000001', 1n],
  ['0', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['1.123456789', undefined],
])('parses the rate %s as %s', (text, rate) => expect(parseRate(text)).toBe(rate));

it('rounds the cost of USDT up, and the USDT that an amount buys down', () => {
  expect(homeOf(1_000_000n, 715_230_000n, 'CNY')).toBe(716n);
  expect(usdtOf(716n, 715_230_000n, 'CNY')).toBe(1_001_076n);
  expect(homeOf(1_000_000n, 2_540_000_000_000n, 'VND')).toBe(25_400n);
});

it('never buys more than the amount pays for', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 14n),
      fc.bigInt(1n, 10n ** 13n),
      fc.constantFrom('CNY', 'VND', 'INR', 'BRL'),
      (home, rate, currency) => {
        expect(homeOf(usdtOf(home, rate, currency), rate, currency)).toBeLessThanOrEqual(home);
      },
    ),
  );
});
