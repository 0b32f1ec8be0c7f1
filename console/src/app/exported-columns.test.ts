import { type ExportList, exportColumns } from '@hengfu/contract/export-columns';
import { expect, it } from 'vitest';
import { collectionColumns } from '../features/collections/collection-columns.tsx';
import { payoutColumns } from '../features/payouts/payout-columns.tsx';
import { topupColumns } from '../features/topups/topup-columns.tsx';
import { withdrawalColumns } from '../features/withdrawals/withdrawal-columns.tsx';

it.each<[ExportList, readonly { key: string }[]]>([
  ['collections', collectionColumns],
  ['payouts', payoutColumns],
  ['topups', topupColumns],
  ['withdrawals', withdrawalColumns],
])('an export of %s has every column that the list can show', (list, columns) => {
  const exported = exportColumns[list].map(({ key }) => key);
  expect(columns.map(({ key }) => key).filter((key) => !exported.includes(key))).toEqual([]);
});
