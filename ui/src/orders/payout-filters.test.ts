import { expect, it } from 'vitest';
import { payoutFilters } from './payout-filters.ts';

it.each([
  ['CNY', ['bank']],
  ['VND', ['bank']],
  ['INR', ['ifsc']],
  ['BRL', ['accountType', 'taxId']],
] as const)('payouts in %s can be filtered by %j, besides what all payouts have', (currency, own) => {
  const names = payoutFilters(currency, 'en').map((filter) => ('name' in filter ? filter.name : filter.from));
  expect(names.slice(names.indexOf('channel') + 1)).toEqual(own);
});

it.each([
  ['zh-cn', '中国工商银行'],
  ['vi', 'Industrial and Commercial Bank of China'],
] as const)('a bank is chosen by its name, in %s', (language, text) => {
  const bank = payoutFilters('CNY', language).find((filter) => 'name' in filter && filter.name === 'bank');
  expect(bank && 'options' in bank && bank.options).toContainEqual({ value: 'ICBC', text });
});
