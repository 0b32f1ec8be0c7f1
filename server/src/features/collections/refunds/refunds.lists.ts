import { refundQuery } from '@hengfu/contract/refunds';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import type { Refund } from './refunds.sql.ts';
import { toRow } from './refunds.view.ts';
import { refundSource } from './refunds-list.sql.ts';

/** Refunds, filtered. */
export const refundList = consoleList(refundQuery, refundSource);

export const refundExport = exportable(refundList, (row: Refund) => toRow(row));
