import { expect, it } from 'vitest';
import { times } from './link-amounts.ts';

it.each([
  ['10.50', 3, '31.50'],
  ['0.01', 99, '0.99'],
  ['0.01', 1, '0.01'],
  ['150000', 2, '300000'],
  ['999999999.99', 99, '98999999999.01'],
])('%s × %i is %s', (amount, quantity, product) => expect(times(amount, quantity)).toBe(product));
