import { expect, test } from 'vitest';
import { criteriaOf } from './export-filters.ts';

test('both ends of a range are one criterion, and unknown filters are left out', () => {
  const found = criteriaOf('payouts', {
    status: 'rejected,processed',
    createdFrom: 'a',
    createdTo: 'b',
    amountFrom: '5.00',
    batch_no: 'B1',
    color: 'red',
  });
  expect(found.map(({ column, ...ends }) => ({ key: column.key, ...ends }))).toEqual([
    { key: 'status', value: 'rejected,processed' },
    { key: 'createdAt', from: 'a', to: 'b' },
    { key: 'amount', from: '5.00' },
    { key: 'batch_no', value: 'B1' },
  ]);
});
