import { expect, test } from 'vitest';
import { netVerdict } from './settlements.rules.ts';

const batch = { net: '1234.50', currency: 'CNY' as const };
const lines = (amount: string | undefined, exact = true) => ({
  total: { exact },
  sum: amount === undefined ? undefined : { amount, currency: 'CNY' as const },
});

test('a net equals the sum of its lines to the last minor unit, however the decimals are written', () => {
  expect(netVerdict(batch, lines('1234.50'))).toBe('equal');
  expect(netVerdict(batch, lines('1234.5'))).toBe('equal');
  expect(netVerdict(batch, lines('1234.51'))).toBe('different');
  expect(netVerdict(batch, lines('-1234.50'))).toBe('different');
  expect(netVerdict({ net: '900719925474099.31', currency: 'CNY' }, lines('900719925474099.30'))).toBe(
    'different',
  );
});

test('a sum in another currency, or a missing one, is a difference', () => {
  const inDollars = { total: { exact: true }, sum: { amount: '1234.50', currency: 'USD' as const } };
  expect(netVerdict(batch, inDollars)).toBe('different');
  expect(netVerdict(batch, lines(undefined))).toBe('different');
});

test('more lines than a list adds up leave the question open', () => {
  expect(netVerdict(batch, lines(undefined, false))).toBe('unknown');
});
