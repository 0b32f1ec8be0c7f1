import { expect, it } from 'vitest';
import type { FilterOfKind } from './list-types.ts';
import { filterForNumber } from './number-kind.ts';

const filters: FilterOfKind<'text'>[] = [
  { kind: 'text', name: 'trade_no', label: 'ui.search', match: 'beginning', isInline: true },
  { kind: 'text', name: 'out_trade_no', label: 'ui.search', isInline: true },
];

it.each([
  ['C261123192840791970556', 'trade_no'],
  ['P2611', 'trade_no'],
  ['c261123', 'trade_no'],
  ['QH1795462120192482', 'out_trade_no'],
  ['12345', 'out_trade_no'],
  ['C2613-7', 'out_trade_no'],
  ['ORDER-7', 'out_trade_no'],
])('%s is looked for as %s', (text, name) => {
  expect(filterForNumber(filters, text)?.name).toBe(name);
});

it('a list with one number has no choice', () => {
  expect(filterForNumber(filters.slice(1), 'C261123')?.name).toBe('out_trade_no');
});
