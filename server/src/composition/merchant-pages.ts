import { ArchiveReader } from '#archive/archive-reader.ts';
import { EntryArchive } from '#archive/entry-archive.ts';
import type { Database } from '#db/database.ts';
import { PrimarySnapshots } from '#db/snapshots.ts';
import { explainBalances, readFigures } from '#features/account/account.service.ts';
import { readCollectionHistory } from '#features/collections/cases/collection-history.ts';
import { CollectionReading } from '#features/collections/collections.reading.ts';
import {
  toRow as toCollection,
  toFacts as toCollectionFacts,
} from '#features/collections/collections.view.ts';
import { readReport } from '#features/daily-reports/daily-reports.service.ts';
import { toFigures, toReport } from '#features/daily-reports/daily-reports.view.ts';
import { readDashboard } from '#features/dashboard/dashboard.service.ts';
import { StatementService } from '#features/fund-flow/fund-flow.service.ts';
import { toRow as toEntry } from '#features/fund-flow/fund-flow.view.ts';
import type { MerchantPages } from '#features/merchants/look/looks.routes.ts';
import { readPayoutHistory } from '#features/payouts/cases/payout-history.ts';
import { PayoutReading } from '#features/payouts/payouts.reading.ts';
import { toRow as toPayout, toFacts as toPayoutFacts } from '#features/payouts/payouts.view.ts';
import { SettlementService } from '#features/settlements/settlements.service.ts';
import { toLine, toRow as toSettlement } from '#features/settlements/settlements.view.ts';
import type { FileStore } from '#files/file-store.ts';
import { listReplyOf } from '#http/list-reply.ts';

/** The pages of the console for our staff, by the same reads and row views, under the rights of the back office. */
export function merchantPages({
  database,
  archive,
}: {
  database: Database;
  archive: FileStore;
}): MerchantPages {
  const snapshots = new PrimarySnapshots(database);
  const reader = new ArchiveReader(archive);
  const histories = { database, archive: reader };
  const statements = new StatementService(database, snapshots, new EntryArchive(reader));
  const collections = new CollectionReading(database, snapshots, reader);
  const payouts = new PayoutReading(database, snapshots, reader);
  const settlements = new SettlementService(database);
  return {
    account: async (home) => ({
      data: {
        figures: await readFigures(database, home),
        breakdown: await explainBalances(database, home),
      },
    }),
    dashboard: async (home, query) => ({ data: await readDashboard(database, home, query) }),
    fundFlow: async (home, query) => {
      const { archivedBefore, ...page } = await statements.page(home, query);
      const reply = listReplyOf(page, home.currency, (entry) => toEntry(entry, home.currency));
      return { ...reply, archivedBefore: archivedBefore?.toISOString() };
    },
    collections: async (home, query) =>
      listReplyOf(await collections.list(home, query), home.currency, toCollection),
    collection: async ({ merchantId }, _query, { trade_no: tradeNo }) => ({
      data: toCollectionFacts(await readCollectionHistory(histories, { merchantId, tradeNo }, nothingElse)),
    }),
    payouts: async (home, query) => listReplyOf(await payouts.list(home, query), home.currency, toPayout),
    payout: async ({ merchantId }, _query, { trade_no: tradeNo }) => ({
      data: toPayoutFacts(await readPayoutHistory(histories, { merchantId, tradeNo }, nothingElse)),
    }),
    settlements: async (home, query) =>
      listReplyOf(await settlements.list(home.merchantId, query), home.currency, toSettlement),
    settlement: async ({ merchantId }, _query, { settlement_no: settlementNo }) => ({
      data: toSettlement(await settlements.find(merchantId, settlementNo)),
    }),
    settlementLines: async ({ merchantId, currency }, query, { settlement_no: settlementNo }) =>
      listReplyOf(await settlements.lines(merchantId, settlementNo, query), currency, toLine),
    dailyReport: async (home, query) => {
      const { currency } = home;
      const { days, totals } = await readReport(snapshots, home, query);
      return {
        data: days.map((day) => toReport(day, query.offset, currency)),
        totals: toFigures(totals, currency),
        currency,
      };
    },
  };
}

/** People's names and links of theirs belong to no look. */
async function nothingElse(): Promise<void> {}
