import type { FundFlowQuery } from '@hengfu/contract/fund-flow';
import type { OpenEntryQuery } from '@hengfu/contract/fund-flow.open';
import type { EntryArchive } from '#archive/entry-archive.ts';
import type { Database } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { Home } from '#domain/caller.ts';
import { readMoment } from '#domain/list-totals.sql.ts';
import { createdRange } from '#domain/open-list.ts';
import { sumsBetween } from './fund-flow.rules.ts';
import {
  findRange,
  listEntries,
  listOnward,
  type OnwardEntries,
  type StatementPage,
} from './fund-flow.sql.ts';

const noRows: Omit<StatementPage, 'at'> = {
  rows: [],
  next: null,
  previous: null,
  total: { count: 0, exact: true },
  sumMinor: 0n,
};
const noSums = { openingMinor: 0n, closingMinor: 0n, inMinor: 0n, outMinor: 0n, count: 0 };

/** Reads the statement of available funds. */
export class StatementService {
  readonly #database: Database;
  readonly #snapshots: Snapshots;
  readonly #archive: EntryArchive;

  constructor(database: Database, snapshots: Snapshots, archive: EntryArchive) {
    this.#database = database;
    this.#snapshots = snapshots;
    this.#archive = archive;
  }

  /** Reads a page. Throws `too_many_requests` if too many reads of the merchant's archive are waiting. */
  page({ merchantId, currency }: Home, query: FundFlowQuery): Promise<StatementPage> {
    return this.#archive.withParts(merchantId, (readParts) =>
      this.#snapshots.ofList(merchantId, query.createdTo, async (tx) => {
        const range = await findRange(tx, currency, query, readParts);
        return range ? listEntries(tx, range, query, readParts) : { ...noRows, at: await readMoment(tx) };
      }),
    );
  }

  /** Reads a page of the entries, without totals. Throws as {@link page} does. */
  onward({ merchantId, currency }: Home, query: OpenEntryQuery): Promise<OnwardEntries> {
    return this.#archive.withParts(merchantId, (readParts) =>
      this.#snapshots.ofList(merchantId, query.created_to, async (tx) => {
        const range = await findRange(tx, currency, createdRange(query), readParts);
        if (!range) return { rows: [], next: null, archivedBefore: undefined };
        return listOnward(tx, range, query, readParts);
      }),
    );
  }

  /** Reads the sums of a range. Costs the same for any range. Throws `too_many_requests` as above. */
  sums(
    { merchantId, currency }: Home,
    range: Pick<FundFlowQuery, 'createdFrom' | 'createdTo'>,
  ): Promise<ReturnType<typeof sumsBetween>> {
    return this.#archive.withParts(merchantId, (readParts) =>
      this.#database.asMerchant(
        merchantId,
        async (tx) => {
          const found = await findRange(tx, currency, range, readParts);
          return found ? sumsBetween(found.from, found.to) : noSums;
        },
        { oneStatement: true },
      ),
    );
  }
}
