import { ArchiveReader } from '#archive/archive-reader.ts';
import { type CallbackHistory, findCallbacks, readCallbacks } from '#callbacks/callback-history.ts';
import type { Database } from '#db/database.ts';
import { findMerchantForService, type OrderMerchant, readOrderMerchant } from '#domain/orders.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { FileStore } from '#files/file-store.ts';
import { listPostings, type Posting } from '#ledger/postings.ts';
import { type Contradiction, listOpenContradictions } from './contradictions.sql.ts';
import { type PayoutEvents, readPayoutHistory } from './payout-history.ts';
import { findWaitingOutcome } from './payout-outcomes.sql.ts';

/** A payout with everything that belongs to it, as our staff see it. */
export interface CaseOfPayout extends PayoutEvents {
  merchant: OrderMerchant;
  callbacks: CallbackHistory[];
  postings: Posting[];
  /** The request about its outcome that waits for a second person. */
  requestId: string | null;
  /** Reports that contradict its outcome. */
  contradictions: Contradiction[];
}

/** Reads payouts of any merchant for our staff. */
export class PayoutCases {
  readonly #database: Database;
  readonly #archive: ArchiveReader;

  constructor(database: Database, archive: FileStore) {
    this.#database = database;
    this.#archive = new ArchiveReader(archive);
  }

  /** Reads a payout with its timeline, callbacks and postings. Throws `not_found`. */
  async get(tradeNo: string): Promise<CaseOfPayout> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantForService(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    const { also, ...history } = await readPayoutHistory(
      { database: this.#database, archive: this.#archive },
      { merchantId, tradeNo },
      async (tx, order) => ({
        merchant: await readOrderMerchant(tx),
        callbacks: await findCallbacks(tx, order),
        postings: await listPostings(tx, order),
        requestId: await findWaitingOutcome(tx, tradeNo),
        contradictions: await listOpenContradictions(tx, order),
      }),
    );
    return { ...history, ...also, callbacks: await readCallbacks(also.callbacks, this.#archive) };
  }
}
