import { fundFlowQuery } from '@hengfu/contract/fund-flow';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { type EntrySqlRow, entryCells, entrySource, findRange } from './fund-flow.sql.ts';
import { toRow } from './fund-flow.view.ts';

/** Changes of available funds, filtered. */
export const fundFlowList = consoleList(fundFlowQuery, async (tx, home, query) => {
  const range = await findRange(tx, home.currency, query);
  return range && entrySource(tx, range, query);
});

export const fundFlowExport = exportable(
  fundFlowList,
  (row: EntrySqlRow, { currency }) => toRow(row, currency),
  ({ currency }) => ({ cells: entryCells(currency) }),
);
