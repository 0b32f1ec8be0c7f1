import { expect, test } from 'vitest';
import { netVerdict } from './settlements.rules.ts';

const batch = { net: '1234.50', currency: 'CNY' as const };
const lines = (amount: string | undefined, exact = true) => ({
  total: { exact },
  sum: amount === undefined ? undefined : { amount, currency: 'CNY' as const },
});

test('compares net and sum to the last minor unit, however the decimals are written', () => {
  expect(netVerdict(batch, lines('1234.50'))).toBe('equal');
  expect(netVerdict(batch, lines('1234.5'))).toBe('equal');
  expect(netVerdict(batch, lines('1234.51'))).toBe('different');
  expect(netVerdict(batch, lines('-1234.50'))).toBe('different');
  expect(netVerdict({ net: '900719925474099.31', currency: 'CNY' }, lines('900719925474099.30'))).toBe(
    'different',
  );
});

test('treats a sum in another currency, or a missing one, as different', () => {
  const inDollars = { total: { exact: true }, sum: { amount: '1234.50', currency: 'USD' as const } };
  expect(netVerdict(batch, inDollars)).toBe('different');
  expect(netVerdict(batch, lines(undefined))).toBe('different');
});

test('returns unknown if there are more lines than a list adds up', () => {
  expect(netVerdict(batch, lines(undefined, false))).toBe('unknown');
});
