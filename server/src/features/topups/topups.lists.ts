import { topupQuery } from '@hengfu/contract/topups';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { type TopupSqlRow, toTopup } from './topups.sql.ts';
import { toRow } from './topups.view.ts';
import { topupSource } from './topups-list.sql.ts';

/** Top-ups, filtered. */
export const topupList = consoleList(topupQuery, topupSource);

export const topupExport = exportable(topupList, (row: TopupSqlRow) => toRow(toTopup(row)));
