import { dailyReportQuery } from '@hengfu/contract/daily-reports';
import type { ExportList } from '@hengfu/contract/export-columns';
import { byNumber } from '@hengfu/contract/settlements';
import type * as z from 'zod';
import type { Home } from '#domain/caller.ts';
import { readAll } from '#domain/list-whole.sql.ts';
import { type CollectionSqlRow, toCollection } from '#features/collections/collections.sql.ts';
import { toRow as toCollectionRow } from '#features/collections/collections.view.ts';
import { collectionCells, settlementNumbers } from '#features/collections/collections-list.sql.ts';
import { readDays } from '#features/daily-reports/daily-reports.sql.ts';
import { toReport } from '#features/daily-reports/daily-reports.view.ts';
import type { Exportable } from '#features/exports/exports.writing.ts';
import type { CopyableList } from '#features/exports/lines.sql.ts';
import { type EntrySqlRow, entryCells } from '#features/fund-flow/fund-flow.sql.ts';
import { toRow as toEntryRow } from '#features/fund-flow/fund-flow.view.ts';
import { type PayoutSqlRow, toPayout } from '#features/payouts/payouts.sql.ts';
import { toRow as toPayoutRow } from '#features/payouts/payouts.view.ts';
import { payoutCells } from '#features/payouts/payouts-list.sql.ts';
import {
  findSettlement,
  type LineSqlRow,
  lineSource,
  type SettlementSqlRow,
} from '#features/settlements/settlements.sql.ts';
import { toLine, toRow as toSettlementRow } from '#features/settlements/settlements.view.ts';
import { type TopupSqlRow, toTopup } from '#features/topups/topups.sql.ts';
import { toRow as toTopupRow } from '#features/topups/topups.view.ts';
import { toWithdrawal, type WithdrawalSqlRow } from '#features/withdrawals/withdrawals.sql.ts';
import { toRow as toWithdrawalRow } from '#features/withdrawals/withdrawals.view.ts';
import { validate } from '#http/validate.ts';
import { type FilteredList, listSources } from './list-sources.ts';

type Filters = Readonly<Record<string, string>>;

/** A list of the console, to be read whole: from the same source, into the same rows. */
function exportable<Q extends z.ZodType, R>(
  { query, source }: FilteredList<Q>,
  toRow: (row: R, home: Home) => object,
  fileOf?: (home: Home) => Omit<CopyableList, 'source'>,
): Exportable {
  return {
    check: (filters) => void validate(query, filters),
    ...(fileOf && {
      copyable: async (tx, home, filters) => {
        const from = await source(tx, home, validate(query, filters));
        return from && { source: from, ...fileOf(home) };
      },
    }),
    async *read(tx, home, filters: Filters) {
      const from = await source(tx, home, validate(query, filters));
      if (!from) return;
      for await (const batch of readAll<R>(tx, from))
        yield batch.map((row) => toRow(row, home) as Readonly<Record<string, unknown>>);
    },
  };
}

/** Every list that can be exported, with what its rows are read from. */
export const exportables: Readonly<Record<ExportList, Exportable>> = {
  collections: exportable(
    listSources.collections,
    (row: CollectionSqlRow) => toCollectionRow(toCollection(row)),
    () => ({ cells: collectionCells, names: { settlement_no: settlementNumbers } }),
  ),
  settlements: exportable(listSources.settlements, (row: SettlementSqlRow) => toSettlementRow(row)),
  settlementLines: exportable(
    {
      query: byNumber.strict(),
      source: async (tx, _home, { settlement_no }) => {
        const batch = await findSettlement(tx, settlement_no);
        return batch && lineSource(tx, batch.id);
      },
    },
    (row: LineSqlRow) => toLine(row),
  ),
  payouts: exportable(
    listSources.payouts,
    (row: PayoutSqlRow) => toPayoutRow(toPayout(row)),
    () => ({ cells: payoutCells }),
  ),
  topups: exportable(listSources.topups, (row: TopupSqlRow) => toTopupRow(toTopup(row))),
  withdrawals: exportable(listSources.withdrawals, (row: WithdrawalSqlRow) =>
    toWithdrawalRow(toWithdrawal(row)),
  ),
  fundFlow: exportable(
    listSources.fundFlow,
    (row: EntrySqlRow, home) => toEntryRow(row, home.currency),
    ({ currency }) => ({ cells: entryCells(currency) }),
  ),
  dailyReports: {
    check: (filters) => void validate(dailyReportQuery, filters),
    async *read(tx, home, filters) {
      const query = validate(dailyReportQuery, filters);
      const days = await readDays(tx, home.currency, query);
      yield days.map((day) => ({ ...toReport(day, query.offset, home.currency), currency: home.currency }));
    },
  },
};
