import { collectionQuery } from '@hengfu/contract/collections';
import { dailyReportQuery } from '@hengfu/contract/daily-reports';
import type { ExportList } from '@hengfu/contract/export-columns';
import { fundFlowQuery } from '@hengfu/contract/fund-flow';
import { payoutQuery } from '@hengfu/contract/payouts';
import { byNumber, settlementQuery } from '@hengfu/contract/settlements';
import { topupQuery } from '@hengfu/contract/topups';
import { withdrawalQuery } from '@hengfu/contract/withdrawals';
import type * as z from 'zod';
import type { Home } from '#caller.ts';
import type { MerchantTx } from '#db/database.ts';
import { type ListSource, readAll } from '#db/list.ts';
import { validate } from '#http/validate.ts';
import { type CollectionSqlRow, toCollection } from './features/collections/collections.sql.ts';
import { toRow as toCollectionRow } from './features/collections/collections.view.ts';
import { collectionSource } from './features/collections/collections-list.sql.ts';
import { readDays } from './features/daily-reports/daily-reports.sql.ts';
import { toReport } from './features/daily-reports/daily-reports.view.ts';
import type { Exportable } from './features/exports/exports.job.ts';
import { type EntrySqlRow, entrySource, findRange } from './features/fund-flow/fund-flow.sql.ts';
import { toRow as toEntryRow } from './features/fund-flow/fund-flow.view.ts';
import { type PayoutSqlRow, toPayout } from './features/payouts/payouts.sql.ts';
import { toRow as toPayoutRow } from './features/payouts/payouts.view.ts';
import { payoutSource } from './features/payouts/payouts-list.sql.ts';
import {
  findSettlement,
  type LineSqlRow,
  lineSource,
  type SettlementSqlRow,
  settlementSource,
} from './features/settlements/settlements.sql.ts';
import { toLine, toRow as toSettlementRow } from './features/settlements/settlements.view.ts';
import { type TopupSqlRow, toTopup } from './features/topups/topups.sql.ts';
import { toRow as toTopupRow } from './features/topups/topups.view.ts';
import { topupSource } from './features/topups/topups-list.sql.ts';
import { toWithdrawal, type WithdrawalSqlRow } from './features/withdrawals/withdrawals.sql.ts';
import { toRow as toWithdrawalRow } from './features/withdrawals/withdrawals.view.ts';
import { withdrawalSource } from './features/withdrawals/withdrawals-list.sql.ts';

type Filters = Readonly<Record<string, string>>;

/** A list of the console, to be read whole: from the same source, into the same rows. */
function exportable<Q extends z.ZodType, R>(
  query: Q,
  source: (
    tx: MerchantTx,
    home: Home,
    query: z.output<Q>,
  ) => ListSource | undefined | Promise<ListSource | undefined>,
  toRow: (row: R, home: Home) => object,
): Exportable {
  return {
    check: (filters) => void validate(query, filters),
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
  collections: exportable(collectionQuery, collectionSource, (row: CollectionSqlRow) =>
    toCollectionRow(toCollection(row)),
  ),
  settlements: exportable(
    settlementQuery,
    (tx, _home, query) => settlementSource(tx, query),
    (row: SettlementSqlRow) => toSettlementRow(row),
  ),
  settlementLines: exportable(
    byNumber.strict(),
    async (tx, _home, { settlement_no }) => {
      const batch = await findSettlement(tx, settlement_no);
      return batch && lineSource(tx, batch.id);
    },
    (row: LineSqlRow) => toLine(row),
  ),
  payouts: exportable(payoutQuery, payoutSource, (row: PayoutSqlRow) => toPayoutRow(toPayout(row))),
  topups: exportable(topupQuery, topupSource, (row: TopupSqlRow) => toTopupRow(toTopup(row))),
  withdrawals: exportable(withdrawalQuery, withdrawalSource, (row: WithdrawalSqlRow) =>
    toWithdrawalRow(toWithdrawal(row)),
  ),
  fundFlow: exportable(
    fundFlowQuery,
    async (tx, home, query) => {
      const range = await findRange(tx, home.currency, query);
      return range && entrySource(tx, range, query);
    },
    (row: EntrySqlRow, home) => toEntryRow(row, home.currency),
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
