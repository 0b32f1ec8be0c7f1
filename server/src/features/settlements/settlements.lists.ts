import { byNumber, settlementQuery } from '@hengfu/contract/settlements';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import {
  findSettlement,
  type LineSqlRow,
  lineSource,
  type SettlementSqlRow,
  settlementSource,
} from './settlements.sql.ts';
import { toLine, toRow } from './settlements.view.ts';

/** Settlements, filtered. */
export const settlementList = consoleList(settlementQuery, (tx, _home, query) => settlementSource(tx, query));

export const settlementExport = exportable(settlementList, (row: SettlementSqlRow) => toRow(row));

/** The collections of one settlement. */
export const settlementLineExport = exportable(
  consoleList(byNumber.strict(), async (tx, _home, { settlement_no }) => {
    const batch = await findSettlement(tx, settlement_no);
    return batch && lineSource(tx, batch.id);
  }),
  (row: LineSqlRow) => toLine(row),
);
