import { collectionQuery } from '@hengfu/contract/collections';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { type CollectionSqlRow, toCollection } from './collections.sql.ts';
import { toRow } from './collections.view.ts';
import { collectionCells, collectionSource, settlementNumbers } from './collections-list.sql.ts';

/** Collections, filtered. */
export const collectionList = consoleList(collectionQuery, collectionSource);

export const collectionExport = exportable(
  collectionList,
  (row: CollectionSqlRow) => toRow(toCollection(row)),
  () => ({ cells: collectionCells, names: { settlement_no: settlementNumbers } }),
);
