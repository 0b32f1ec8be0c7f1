import type { Database, Tx } from './database.ts';
import { enoughCalls, MicroBatcher } from './micro-batcher.ts';

const maxPerTransaction = 64;
const patienceMs = 500;
const restMs = 8;
/** Concurrent transactions per placement, each over several merchants. */
const queues = 2;

/** The queue of a merchant that has items in progress. */
interface Place {
  queue: string;
  items: number;
}

/** See `OpenNonce` of the domain. */
type NonceAnswer = 'claimed' | 'replayed' | 'changed';

/** A nonce that a shared transaction claims with the work of its call. */
interface Nonce {
  readonly claim: { keyId: string; nonce: string };
  readonly isOpen: boolean;
  settle(answer: NonceAnswer): void;
  claimAlone(): Promise<unknown>;
}

/** An item of a merchant. */
export interface Item {
  merchantId: bigint;
  /** Not claimed yet, when the item is submitted. */
  nonce?: Nonce | undefined;
}

/** Options of a {@link MerchantBatcher}. */
export interface MerchantBatcherOptions<I, O> {
  database: Database;
  /**
   * Processes items of the transaction's merchants with one statement. Returns one result per item, in their order. Claims the open nonces of
   * items.
   */
  work: (tx: Tx, items: readonly I[]) => Promise<readonly O[]>;
  /** Two items that have one of these in common are never in the same transaction. */
  conflictKeysOf: (item: I) => readonly string[];
  /** Whether a result says that the item has to be processed alone, because of others of its merchant. Never if absent. */
  isUndecided?: (result: O) => boolean;
  /** Returns the answer to the claim of an item's nonce from the result of a shared transaction. */
  nonceAnswerOf: (result: O) => NonceAnswer;
}

/**
 * Micro-batches items of all merchants: those that arrive while others are in progress share the next transaction. A merchant without
 * items in progress joins the first queue whose next transaction has room: a transaction for sixteen costs little more than one for eight.
 * Its later items follow the earlier ones, because they change the same rows. A merchant whose rows are locked, or whose items are
 * undecided together, is excluded and processed one item at a time, so that it delays nobody else. Nonces of such items are claimed
 * before: a transaction that may wait for long would make everybody wait who claims the same nonce.
 */
export class MerchantBatcher<I extends Item, O> {
  readonly #options: MerchantBatcherOptions<I, O>;
  readonly #shared: MicroBatcher<string, I, O>;
  readonly #single: MicroBatcher<bigint, I, O>;
  /** Numbers of items that are processed alone by merchant. */
  readonly #alone = new Map<bigint, number>();
  /** By merchant. */
  readonly #places = new Map<bigint, Place>();

  constructor(options: MerchantBatcherOptions<I, O>) {
    const { database, work } = options;
    const conflictKeysOf = (item: I) => [...options.conflictKeysOf(item), ...nonceKeyOf(item)];
    this.#options = options;
    this.#single = new MicroBatcher({
      work: (merchantId, items) =>
        database.asMerchant(merchantId, (tx) => work(tx, items), { oneStatement: true }),
      conflictKeysOf,
      maxBatchSize: 1,
    });
    this.#shared = new MicroBatcher({
      work: (_queue, items, onExecuted) =>
        database.asMerchants(
          items.map(({ merchantId }) => merchantId),
          (tx) => work(tx, items),
          { onExecuted },
        ),
      laneOf: ({ merchantId }) => merchantId,
      conflictKeysOf,
      maxBatchSize: maxPerTransaction,
      stuckAfterMs: patienceMs,
      restMs,
      retryAlone: (item) => this.#processAlone(item),
    });
  }

  /** Processes an item in a transaction that it may share with others. */
  async submit(item: I): Promise<O> {
    const { isUndecided, nonceAnswerOf } = this.#options;
    const { merchantId } = item;
    if (!this.#alone.has(merchantId)) {
      const result = await this.#share(item);
      if (item.nonce?.isOpen) item.nonce.settle(nonceAnswerOf(result));
      if (!isUndecided?.(result)) return result;
    }
    return this.#processAlone(item);
  }

  async #processAlone(item: I): Promise<O> {
    const { merchantId, nonce } = item;
    this.#alone.set(merchantId, (this.#alone.get(merchantId) ?? 0) + 1);
    try {
      if (nonce?.isOpen) await nonce.claimAlone();
      return await this.#single.submit(merchantId, item);
    } finally {
      const others = (this.#alone.get(merchantId) ?? 0) - 1;
      if (others > 0) this.#alone.set(merchantId, others);
      else this.#alone.delete(merchantId);
    }
  }

  async #share(item: I): Promise<O> {
    const { merchantId } = item;
    const place = this.#places.get(merchantId) ?? { queue: this.#openQueue(merchantId), items: 0 };
    this.#places.set(merchantId, place);
    place.items++;
    try {
      return await this.#shared.submit(place.queue, item);
    } finally {
      place.items--;
      if (place.items === 0) this.#places.delete(merchantId);
    }
  }

  /** Returns the first queue that has room in its next transaction, or else the one with the fewest items that wait. */
  #openQueue(merchantId: bigint): string {
    const placement = this.#options.database.placement(merchantId);
    const waiting = Array.from({ length: queues }, (_, number) =>
      this.#shared.waitingOf(`${placement} ${number}`),
    );
    const open = waiting.findIndex((items) => items < enoughCalls);
    return `${placement} ${open < 0 ? waiting.indexOf(Math.min(...waiting)) : open}`;
  }
}

/** Names an item's nonce, which no two items of a transaction may claim. */
function nonceKeyOf({ nonce }: Item): string[] {
  return nonce?.isOpen ? [`nonce ${nonce.claim.keyId} ${nonce.claim.nonce}`] : [];
}
