import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCollection } from './collections.open.ts';
import { currencies, currencyScale, formatAmount, parseAmount } from './money.ts';

describe('amounts', () => {
  it('read what they wrote, in every currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 999_999_999_999n),
        fc.constantFrom(...currencies),
        (amountMinor, currency) => {
          expect(parseAmount(formatAmount(amountMinor, currency), currency)).toBe(amountMinor);
        },
      ),
    );
  });

  it('never take more decimals than the currency has', () => {
    for (const currency of currencies) {
      expect(parseAmount(`1.${'0'.repeat(currencyScale[currency] + 1)}`, currency)).toBeUndefined();
    }
  });

  const bad = [
    '-1',
    '+1',
    '',
    ' 1',
    '1 ',
    '1e3',
    '0x10',
    '１００',
    '1,000',
    '01',
    '.5',
    '5.',
    '1.2.3',
    'NaN',
    '9'.repeat(40),
  ];
  it.each(bad)('refuse %j', (text) => {
    expect(parseAmount(text, 'CNY')).toBeUndefined();
    expect(createCollection.safeParse({ out_trade_no: 'A1', amount: text, currency: 'CNY' }).success).toBe(
      false,
    );
  });

  it.each(['0', '0.00'])('refuse to collect nothing (%s)', (text) => {
    expect(createCollection.safeParse({ out_trade_no: 'A1', amount: text, currency: 'CNY' }).success).toBe(
      false,
    );
  });

  it('show a sign only below zero', () => {
    expect([formatAmount(-5n, 'CNY'), formatAmount(0n, 'CNY'), formatAmount(5n, 'VND')]).toEqual([
      '-0.05',
      '0.00',
      '5',
    ]);
  });
});
