import { expect, test } from 'vitest';
import { amountFault, normalAmount } from './amount-range.ts';

test('grouping commas and blanks around an amount are forgiven, other signs are not', () => {
  expect(normalAmount(' 1,234,567.80 ')).toBe('1234567.80');
  expect(normalAmount('1,23')).toBe('1,23');
  expect(normalAmount('¥100')).toBe('¥100');
});

test('a range may be open at one end, and must not run backwards; both ends are in it', () => {
  expect(amountFault('100', '', 'CNY')).toBeUndefined();
  expect(amountFault('', '100.00', 'CNY')).toBeUndefined();
  expect(amountFault('100', '100.00', 'CNY')).toBeUndefined();
  expect(amountFault('100.01', '100', 'CNY')).toBe('order');
  expect(amountFault('999999999999.98', '999999999999.99', 'CNY')).toBeUndefined();
});

test('what is no amount of the currency is named', () => {
  expect(amountFault('1e3', '5', 'CNY')).toBe('from');
  expect(amountFault('1', '-5', 'CNY')).toBe('to');
  expect(amountFault('1.5', '', 'VND')).toBe('from');
});
