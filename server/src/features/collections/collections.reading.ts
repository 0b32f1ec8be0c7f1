import type { CollectionQuery } from '@hengfu/contract/collections';
import { findParts } from '#archive/archive.sql.ts';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import { toEvent } from '#archive/history.ts';
import { findArchivedAttempts, listAttempts, toArchivedAttempt } from '#callbacks/callbacks.sql.ts';
import type { Database } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import type { Snapshots } from '#db/snapshots.ts';
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
    const recent = await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findCollection(tx, { tradeNo });
      if (!order) throw new Refusal('not_found');
      const [events, attempts] = await Promise.all([listEvents(tx, order), listAttempts(tx, order)]);
      const [oldEvents, oldAttempts] = await Promise.all([
        findParts(tx, {
          merchantId,
          table: 'collection_event',
          subject: order.id,
          since: historyStart(order.createdAt),
        }),
        findArchivedAttempts(tx, order),
      ]);
      return { order, events, attempts, oldEvents, oldAttempts };
    });
    const { oldEvents, oldAttempts, ...history } = recent;
    const events = (await this.#archive.read(oldEvents)).map(toEvent<CollectionHistory['events'][number]>);
    const attempts: CollectionHistory['attempts'] = [];
    for (const { event, found } of oldAttempts)
      attempts.push(...(await this.#archive.read(found)).map((row) => toArchivedAttempt(row, event)));
    return {
      order: history.order,
      events: [...events, ...history.events],
      attempts: [...attempts, ...history.attempts],
    };
  }
}
