import type { CollectionQuery } from '@hengfu/contract/collections';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import { findCallbacks, readCallbacks } from '#callbacks/callback-history.ts';
import type { ShownAttempt } from '#callbacks/callbacks.sql.ts';
import type { Database } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { Home } from '#domain/caller.ts';
import type { Page } from '#domain/list.sql.ts';
import { type CollectionEvents, readCollectionHistory } from './cases/collection-history.ts';
import type { Collection } from './collections.sql.ts';
import { listCollections } from './collections-list.sql.ts';

/** An order with everything that happened to it. */
export interface CollectionHistory extends CollectionEvents {
  attempts: ShownAttempt[];
}

/** Reads collections for the console. */
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

  /** Returns an order with its history. Throws `not_found`, also for another merchant's order. */
  async history(merchantId: bigint, tradeNo: string): Promise<CollectionHistory> {
    const { also, ...history } = await readCollectionHistory(
      { database: this.#database, archive: this.#archive },
      { merchantId, tradeNo },
      findCallbacks,
    );
    const callbacks = await readCallbacks(also, this.#archive);
    const attempts = callbacks.flatMap(({ attempts }) => attempts);
    return { ...history, attempts: attempts.toSorted((one, other) => one.at.getTime() - other.at.getTime()) };
  }
}
