import { ArchiveReader } from '#archive/archive-reader.ts';
import { type CallbackHistory, findCallbacks, readCallbacks } from '#callbacks/callback-history.ts';
import type { Database } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { findMerchantForService, type OrderMerchant, readOrderMerchant } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { FileStore } from '#files/file-store.ts';
import { listPostings, type Posting } from '#ledger/postings.ts';
import { canBeAsked } from '../by-hand/status-queries.ts';
import { askNow } from '../collections.jobs.ts';
import { maxShown } from '../refunds/refunds.reading.ts';
import { listRefundsOf, type Refund } from '../refunds/refunds.sql.ts';
import { type CollectionEvents, readCollectionHistory } from './collection-history.ts';

/** A collection with everything that belongs to it, as our staff see it. */
export interface CaseOfCollection extends CollectionEvents {
  merchant: OrderMerchant;
  callbacks: CallbackHistory[];
  postings: Posting[];
  /** Its last refunds, newest first. */
  refunds: Refund[];
  /** Whether its channel can be asked if it was paid. */
  canAsk: boolean;
}

/** Collections of any merchant, for our staff. */
export class CollectionCases {
  readonly #database: Database;
  readonly #archive: ArchiveReader;

  constructor(database: Database, archive: FileStore) {
    this.#database = database;
    this.#archive = new ArchiveReader(archive);
  }

  /** Reads a collection with its timeline, refunds, callbacks and postings. Throws `not_found`. */
  async get(tradeNo: string): Promise<CaseOfCollection> {
    const merchantId = await this.#merchantOf(tradeNo);
    const { also, ...history } = await readCollectionHistory(
      { database: this.#database, archive: this.#archive },
      { merchantId, tradeNo },
      async (tx, order) => ({
        merchant: await readOrderMerchant(tx),
        callbacks: await findCallbacks(tx, order),
        postings: await listPostings(tx, order),
        refunds: await listRefundsOf(tx, order, maxShown),
        canAsk: await canBeAsked(tx, order),
      }),
    );
    return { ...history, ...also, callbacks: await readCallbacks(also.callbacks, this.#archive) };
  }

  /** Has the channel asked at once if a collection was paid. Throws `not_found`, `invalid_transition`. */
  async ask(tradeNo: string, by: ServiceActor): Promise<void> {
    const merchantId = await this.#merchantOf(tradeNo);
    await this.#database.asMerchant(merchantId, (tx) => askNow(tx, tradeNo, by));
  }

  async #merchantOf(tradeNo: string): Promise<bigint> {
    const found = await this.#database.asSystem((tx) => findMerchantForService(tx, 'collection', tradeNo));
    if (found === undefined) throw new Refusal('not_found');
    return found;
  }
}
