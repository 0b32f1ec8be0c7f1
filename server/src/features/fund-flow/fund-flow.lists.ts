import { fundFlowQuery } from '@hengfu/contract/fund-flow';
import type { ReadParts } from '#archive/entry-parts.sql.ts';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { type EntrySqlRow, entryCells, findRange, wholeSource } from './fund-flow.sql.ts';
import { toRow } from './fund-flow.view.ts';

/** Changes of available funds, filtered, including those in the archive. */
export const fundFlowList = (readParts: ReadParts) =>
  consoleList(fundFlowQuery, async (tx, home, query) => {
    const range = await findRange(tx, home.currency, query, readParts);
    return range && wholeSource(tx, range, query, readParts);
  });

export const fundFlowExport = (readParts: ReadParts) =>
  exportable(
    fundFlowList(readParts),
    (row: EntrySqlRow, { currency }) => toRow(row, currency),
    ({ currency }) => ({ cells: entryCells(currency) }),
  );
