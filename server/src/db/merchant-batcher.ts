import type { Database, Tx } from './database.ts';
import { MicroBatcher } from './micro-batcher.ts';

const maxPerTransaction = 64;
const patienceMs = 500;
const restMs = 8;

/** Options of a {@link MerchantBatcher}. */
export interface MerchantBatcherOptions<I, O> {
  database: Database;
  /** Processes items of the transaction's merchants with one statement. Returns one result per item, in their order. */
  work: (tx: Tx, items: readonly I[]) => Promise<readonly O[]>;
  /** Two items that have one of these in common are never in the same transaction. */
  conflictKeysOf: (item: I) => readonly string[];
  /** Items that have a lane in common are never in two transactions at once, not even if one is only to be committed. By default, a merchant's items have. */
  lanesOf?: (item: I) => readonly unknown[];
  /** Whether a result says that the item has to be processed alone, because of others of its merchant. Never if absent. */
  isUndecided?: (result: O) => boolean;
  /** Called with the result of an item once its transaction is committed. The item fails with what this throws. */
  onCommitted?: (item: I, result: O) => void;
  /** Prepares an item that is processed alone, unless it was undecided: then its shared transaction is committed. */
  beforeAlone?: (item: I) => Promise<void>;
}

/**
 * Micro-batches items of all merchants: those that arrive while others are in progress share the next transaction. It starts beside the one in
 * progress only if enough items wait: a transaction for sixteen costs little more than one for eight. Items of a merchant are never in
 * two shared statements at once, because they change the same rows. A merchant whose rows are locked, or whose items are
 * undecided together, is excluded and processed one item at a time, so that it delays nobody else.
 */
export class MerchantBatcher<I extends { merchantId: bigint }, O> {
  readonly #options: MerchantBatcherOptions<I, O>;
  readonly #shared: MicroBatcher<string, I, O>;
  readonly #single: MicroBatcher<bigint, I, O>;
  /** By merchant: how many items are being processed alone. */
  readonly #alone = new Map<bigint, number>();

  constructor(options: MerchantBatcherOptions<I, O>) {
    const { database, work, conflictKeysOf, lanesOf = ({ merchantId }) => [merchantId] } = options;
    this.#options = options;
    this.#single = new MicroBatcher({
      work: (merchantId, items) =>
        database.asMerchant(merchantId, (tx) => work(tx, items), { oneStatement: true }),
      conflictKeysOf,
      maxBatchSize: 1,
    });
    this.#shared = new MicroBatcher({
      work: (_placement, items, onExecuted) =>
        database.asMerchants(
          items.map(({ merchantId }) => merchantId),
          (tx) => work(tx, items),
          { onExecuted },
        ),
      lanesOf,
      // Two at once would wait for the same rows; and if those of a merchant are locked, others wait in one transaction at most.
      executionLanesOf: ({ merchantId }) => [merchantId],
      conflictKeysOf,
      maxBatchSize: maxPerTransaction,
      mayOverlap: true,
      stuckAfterMs: patienceMs,
      restMs,
      retryAlone: (item) => this.#processAlone(item, options.beforeAlone),
    });
  }

  /** Processes an item in a transaction that it may share with others. */
  async submit(item: I): Promise<O> {
    const { isUndecided, onCommitted, beforeAlone } = this.#options;
    const { merchantId } = item;
    // Preparing it takes time, after which the merchant may be like any other again.
    if (this.#alone.has(merchantId)) await beforeAlone?.(item);
    if (this.#alone.has(merchantId)) return this.#processAlone(item);
    const result = await this.#shared.submit(this.#options.database.placement(merchantId), item);
    onCommitted?.(item, result);
    return isUndecided?.(result) ? this.#processAlone(item) : result;
  }

  async #processAlone(item: I, prepare?: (item: I) => Promise<void>): Promise<O> {
    const { merchantId } = item;
    this.#alone.set(merchantId, (this.#alone.get(merchantId) ?? 0) + 1);
    try {
      await prepare?.(item);
      return await this.#single.submit(merchantId, item);
    } finally {
      const others = (this.#alone.get(merchantId) ?? 0) - 1;
      if (others > 0) this.#alone.set(merchantId, others);
      else this.#alone.delete(merchantId);
    }
  }
}
