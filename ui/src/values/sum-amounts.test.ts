import { expect, test } from 'vitest';
import { sumAmounts } from './sum-amounts.ts';

test('adds amounts exactly, whatever their sign', () => {
  const cny = (...amounts: string[]) => sumAmounts(amounts.map((amount) => ({ amount, currency: 'CNY' })));
  expect(cny('0.10', '0.20')).toEqual({ amount: '0.30', currency: 'CNY' });
  expect(cny('999999999999.99', '0.01')).toEqual({ amount: '1000000000000.00', currency: 'CNY' });
  expect(cny('-5.00', '2.50')).toEqual({ amount: '-2.50', currency: 'CNY' });
  expect(sumAmounts([{ amount: '7', currency: 'VND' }])).toEqual({ amount: '7', currency: 'VND' });
});

test('adds nothing of several currencies, nor what is no amount', () => {
  expect(sumAmounts([])).toBeUndefined();
  expect(
    sumAmounts([
      { amount: '1.00', currency: 'CNY' },
      { amount: '1.00', currency: 'USD' },
    ]),
  ).toBeUndefined();
  expect(sumAmounts([{ amount: '–', currency: 'CNY' }])).toBeUndefined();
});
