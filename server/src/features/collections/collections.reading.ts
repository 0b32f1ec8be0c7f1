import type { CollectionQuery } from '@hengfu/contract/collections';
import type { OpenCollectionQuery } from '@hengfu/contract/collections.open';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import { endpointNames, type ShownAttempt } from '#callbacks/attempts.sql.ts';
import { findCallbacks, readCallbacks } from '#callbacks/callback-history.ts';
import type { Database } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { Home } from '#domain/caller.ts';
import type { OnwardPage, Page } from '#domain/list.sql.ts';
import { findOrderLink, type OrderLink } from './by-hand/order-links.sql.ts';
import { canBeAsked } from './by-hand/status-queries.ts';
import { type CollectionEvents, readCollectionHistory } from './cases/collection-history.ts';
import type { Collection } from './collections.sql.ts';
import { listCollections, listOpenCollections } from './collections-list.sql.ts';

/** An order with everything that happened to it. */
export interface CollectionHistory extends CollectionEvents {
  attempts: (ShownAttempt & { callbackId: string; receiver: string })[];
  /** Whether its channel can be asked if it was paid. */
  canAsk: boolean;
  link: OrderLink | undefined;
}

/** Reads collections for the console, and lists them for merchants' systems. */
export class CollectionReading {
  readonly #database: Database;
  readonly #snapshots: Snapshots;
  readonly #archive: ArchiveReader;

  constructor(database: Database, snapshots: Snapshots, archive: ArchiveReader) {
    this.#database = database;
    this.#snapshots = snapshots;
    this.#archive = archive;
  }

  list(home: Home, query: CollectionQuery): Promise<Page<Collection>> {
    return this.#snapshots.ofList(home.merchantId, query.createdTo ?? query.paidTo, (tx) =>
      listCollections(tx, home, query),
    );
  }

  openList(home: Home, query: OpenCollectionQuery): Promise<OnwardPage<Collection>> {
    return this.#snapshots.ofList(home.merchantId, query.created_to, (tx) =>
      listOpenCollections(tx, home, query),
    );
  }

  /** Returns an order with its history. Throws `not_found`, also for another merchant's order. */
  async history(merchantId: bigint, tradeNo: string): Promise<CollectionHistory> {
    const { also, ...history } = await readCollectionHistory(
      { database: this.#database, archive: this.#archive },
      { merchantId, tradeNo },
      async (tx, order) => ({
        canAsk: await canBeAsked(tx, order),
        link: await findOrderLink(tx, order),
        found: await findCallbacks(tx, order),
        names: await endpointNames(tx, order),
      }),
    );
    const callbacks = await readCallbacks(also.found, this.#archive);
    const attempts = callbacks
      .flatMap(({ id, url, attempts }) => {
        const receiver = also.names.get(id) ?? URL.parse(url)?.host ?? url;
        return attempts.map((attempt) => ({ ...attempt, callbackId: id, receiver }));
      })
      .toSorted((one, other) => one.at.getTime() - other.at.getTime());
    return { ...history, attempts, canAsk: also.canAsk, link: also.link };
  }
}
