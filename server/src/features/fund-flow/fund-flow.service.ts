import type { FundFlowQuery } from '@hengfu/contract/fund-flow';
import type { Database } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { Page } from '#domain/list.sql.ts';
import { readMoment } from '#domain/list-totals.sql.ts';
import { sumsBetween } from './fund-flow.rules.ts';
import { type EntrySqlRow, findRange, listEntries } from './fund-flow.sql.ts';

export type StatementPage = Page<EntrySqlRow>;

const noRows: Omit<StatementPage, 'at'> = {
  rows: [],
  next: null,
  previous: null,
  total: { count: 0, exact: true },
  sumMinor: 0n,
};
const noSums = { openingMinor: 0n, closingMinor: 0n, inMinor: 0n, outMinor: 0n, count: 0 };

/** Reads a page of the statement of available funds. */
export function readStatement(database: Database, home: Home, query: FundFlowQuery): Promise<StatementPage> {
  return database.asMerchant(
    home.merchantId,
    async (tx) => {
      const range = await findRange(tx, home.currency, query);
      return range ? listEntries(tx, range, query) : { ...noRows, at: await readMoment(tx) };
    },
    { snapshot: true },
  );
}

/** Reads the sums of a range of the statement. Costs the same for any range. */
export function readSums(
  database: Database,
  home: Home,
  range: Pick<FundFlowQuery, 'createdFrom' | 'createdTo'>,
): Promise<ReturnType<typeof sumsBetween>> {
  return database.asMerchant(
    home.merchantId,
    async (tx) => {
      const found = await findRange(tx, home.currency, range);
      return found ? sumsBetween(found.from, found.to) : noSums;
    },
    { oneStatement: true },
  );
}
