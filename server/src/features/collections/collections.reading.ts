import type { CollectionQuery } from '@hengfu/contract/collections';
import { listAttempts } from '#callbacks/callbacks.sql.ts';
import type { Database } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { type Collection, findCollection, listEvents } from './collections.sql.ts';
import { listCollections } from './collections-list.sql.ts';

/** An order with everything that happened to it. */
export interface CollectionHistory {
  order: Collection;
  events: Awaited<ReturnType<typeof listEvents>>;
  attempts: Awaited<ReturnType<typeof listAttempts>>;
}

/** Reads collections for the console. */
export class CollectionReading {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(home: Home, query: CollectionQuery): Promise<Page<Collection>> {
    return this.#database.asMerchant(home.merchantId, (tx) => listCollections(tx, home, query), {
      snapshot: true,
    });
  }

  /** Returns an order with its history. Throws `not_found`, also for another merchant's order. */
  history(merchantId: bigint, tradeNo: string): Promise<CollectionHistory> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findCollection(tx, { tradeNo });
      if (!order) throw new Refusal('not_found');
      const [events, attempts] = await Promise.all([listEvents(tx, order), listAttempts(tx, order)]);
      return { order, events, attempts };
    });
  }
}
