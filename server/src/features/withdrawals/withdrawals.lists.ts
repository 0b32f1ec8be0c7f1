import { withdrawalQuery } from '@hengfu/contract/withdrawals';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { toWithdrawal, type WithdrawalSqlRow } from './withdrawals.sql.ts';
import { toRow } from './withdrawals.view.ts';
import { withdrawalSource } from './withdrawals-list.sql.ts';

/** Withdrawals, filtered. */
export const withdrawalList = consoleList(withdrawalQuery, withdrawalSource);

export const withdrawalExport = exportable(withdrawalList, (row: WithdrawalSqlRow) =>
  toRow(toWithdrawal(row)),
);
