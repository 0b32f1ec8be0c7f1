import { payoutQuery } from '@hengfu/contract/payouts';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { type PayoutSqlRow, toPayout } from './payouts.sql.ts';
import { toRow } from './payouts.view.ts';
import { payoutCells, payoutSource } from './payouts-list.sql.ts';

/** Payouts, filtered. */
export const payoutList = consoleList(payoutQuery, payoutSource);

export const payoutExport = exportable(
  payoutList,
  (row: PayoutSqlRow) => toRow(toPayout(row)),
  () => ({ cells: payoutCells }),
);
