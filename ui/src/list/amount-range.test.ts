import { expect, test } from 'vitest';
import { amountFault, normalAmount } from './amount-range.ts';

test('normalAmount removes grouping commas and surrounding blanks, but no other characters', () => {
  expect(normalAmount(' 1,234,567.80 ')).toBe('1234567.80');
  expect(normalAmount('1,23')).toBe('1,23');
  expect(normalAmount('¥100')).toBe('¥100');
});

test('amountFault accepts an open end and equal ends, but not a reversed range', () => {
  expect(amountFault('100', '', 'CNY')).toBeUndefined();
  expect(amountFault('', '100.00', 'CNY')).toBeUndefined();
  expect(amountFault('100', '100.00', 'CNY')).toBeUndefined();
  expect(amountFault('100.01', '100', 'CNY')).toBe('order');
  expect(amountFault('999999999999.98', '999999999999.99', 'CNY')).toBeUndefined();
});

test('amountFault names the end that is not an amount of the currency', () => {
  expect(amountFault('1e3', '5', 'CNY')).toBe('from');
  expect(amountFault('1', '-5', 'CNY')).toBe('to');
  expect(amountFault('1.5', '', 'VND')).toBe('from');
});
