import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCollection } from './collections.open.ts';
import { amount, currencies, currencyScale, formatAmount, minorOf, parseAmount } from './money.ts';

describe('amounts', () => {
  it('of the server are read whatever their size and sign', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), fc.constantFrom(...currencies), (minor, currency) => {
        expect(minorOf(formatAmount(minor, currency), currency)).toBe(minor);
      }),
    );
    for (const text of ['', '1.', '1,000', '1.234', '--1'])
      expect(() => minorOf(text, 'CNY')).toThrow(RangeError);
  });

  it('are parsed back to what was formatted, in every currency', () => {
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

  it('have only one accepted spelling, except for trailing zeros', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789.,-+e x１٢') }),
      fc.string({ unit: fc.constantFrom(...'0019.'), maxLength: 6 }),
      fc
        .tuple(fc.bigInt(0n, 10n ** 13n), fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 8 }))
        .map(([whole, decimals]) => (decimals === '' ? `${whole}` : `${whole}.${decimals}`)),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...currencies), (written, currency) => {
        const amountMinor = parseAmount(written, currency);
        const isPlain = /^(0|[1-9][0-9]{0,11})(\.[0-9]+)?$/.test(written);
        const decimals = written.split('.')[1]?.length ?? 0;
        expect(amountMinor !== undefined).toBe(isPlain && decimals <= currencyScale[currency]);
        if (amountMinor === undefined) return;
        const missing = currencyScale[currency] - decimals;
        const point = decimals === 0 && missing > 0 ? '.' : '';
        expect(formatAmount(amountMinor, currency)).toBe(written + point + '0'.repeat(missing));
      }),
    );
  });

  it('are formatted as valid amounts of a reply, also below zero', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        fc.constantFrom(...currencies),
        (amountMinor, currency) => {
          const written = formatAmount(amountMinor, currency);
          expect(amount.safeParse(written).success).toBe(true);
          expect(BigInt(written.replace('.', ''))).toBe(amountMinor);
          expect(written.split('.')[1]?.length ?? 0).toBe(currencyScale[currency]);
        },
      ),
    );
  });

  it('reject more decimals than the currency has', () => {
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
  it.each(bad)('reject %j', (text) => {
    expect(parseAmount(text, 'CNY')).toBeUndefined();
    expect(createCollection.safeParse({ out_trade_no: 'A1', amount: text, currency: 'CNY' }).success).toBe(
      false,
    );
  });

  it.each(['0', '0.00'])('reject a collection of zero (%s)', (text) => {
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
