import { isDatabaseAway } from './pool.ts';

interface Call<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

/** The calls of one key that wait, and its batches in progress. */
interface KeyState<I, O> {
  waiting: Call<I, O>[];
  runningBatches: number;
  /** When the last batch began, by `performance.now()`. */
  batchBegunAt: number;
  /** Ends the rest between two batches. */
  wake?: (() => void) | undefined;
}

const maxConcurrentBatches = 4;
/** As many calls as are worth a batch of their own. */
export const enoughCalls = 16;

/** Options of a {@link MicroBatcher}. */
export interface MicroBatcherOptions<K, I, O> {
  /** Processes all items or none. Returns one result per item, in their order. */
  work: (key: K, items: readonly I[]) => Promise<readonly O[]>;
  /** Two items that have one of these in common are never in the same batch. */
  conflictKeysOf: (item: I) => readonly string[];
  maxBatchSize: number;
  /**
   * If a batch has been running for this long, the next one starts beside it, up to four, so that nobody
   * waits long behind a transaction that is stuck. Never if absent.
   */
  stuckAfterMs?: number;
  /**
   * Until this time has passed since the last batch began, the next one waits for a few calls to share it: on a machine that is half busy,
   * batches of one or two would otherwise follow each other without a pause, and each costs nearly as much as one of eight. A call
   * that finds its key at rest for longer waits for nothing.
   */
  restMs?: number;
  /** Retries an item on its own after its batch failed, beside the next batches. By default `work` does. */
  retryAlone?: (item: I) => Promise<O>;
}

/**
 * Micro-batching: calls that arrive while a batch of their key is in progress are then processed together, in
 * one transaction. They share the cost of the transaction, and wait for contended rows once instead of for
 * each other. If a batch fails, its items are retried one by one, so that no item fails because of another.
 * If the database is away, all of them fail.
 */
export class MicroBatcher<K, I, O> {
  readonly #options: MicroBatcherOptions<K, I, O>;
  /** Keys that have a batch in progress, or rest after one. */
  readonly #keys = new Map<K, KeyState<I, O>>();

  constructor(options: MicroBatcherOptions<K, I, O>) {
    this.#options = options;
  }

  /** Whether a batch of this key is in progress, or its rest. */
  isBusy(key: K): boolean {
    return this.#keys.has(key);
  }

  /** Counts the items of a key that wait for their batch. */
  waitingOf(key: K): number {
    return this.#keys.get(key)?.waiting.length ?? 0;
  }

  /** Adds an item to the next batch of its key. Resolves with its result, or rejects with its error. */
  submit(key: K, item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const state = this.#keys.get(key) ?? { waiting: [], runningBatches: 0, batchBegunAt: 0 };
      this.#keys.set(key, state);
      state.waiting.push({ item, resolve, reject });
      if (state.waiting.length >= enoughCalls) state.wake?.();
      if (state.runningBatches === 0 || this.#isStuck(state)) void this.#run(key, state);
    });
  }

  #isStuck({ runningBatches, batchBegunAt }: KeyState<I, O>): boolean {
    const { stuckAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    return runningBatches < maxConcurrentBatches && performance.now() - batchBegunAt >= stuckAfterMs;
  }

  async #run(key: K, state: KeyState<I, O>): Promise<void> {
    state.runningBatches++;
    for (let batch = this.#takeBatch(state); batch.length > 0; batch = this.#takeBatch(state)) {
      state.batchBegunAt = performance.now();
      await this.#process(key, batch);
      await this.#rest(state);
    }
    state.runningBatches--;
    if (state.runningBatches === 0) this.#keys.delete(key);
  }

  async #rest(state: KeyState<I, O>): Promise<void> {
    const { restMs = 0 } = this.#options;
    const leftMs = restMs - (performance.now() - state.batchBegunAt);
    // If another batch is stuck, a second loop serves the key.
    if (leftMs <= 0 || state.waiting.length >= enoughCalls || state.runningBatches > 1) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      state.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    state.wake = undefined;
  }

  /** Removes the next batch from the waiting calls. Conflicting calls stay, in order. */
  #takeBatch(state: KeyState<I, O>): Call<I, O>[] {
    const batch: Call<I, O>[] = [];
    const left: Call<I, O>[] = [];
    const seenKeys = new Set<string>();
    for (const call of state.waiting) {
      const conflictKeys = this.#options.conflictKeysOf(call.item);
      const hasConflict = conflictKeys.some((conflictKey) => seenKeys.has(conflictKey));
      if (!hasConflict && batch.length < this.#options.maxBatchSize) batch.push(call);
      else left.push(call);
      for (const conflictKey of conflictKeys) seenKeys.add(conflictKey);
    }
    state.waiting = left;
    return batch;
  }

  async #process(key: K, batch: readonly Call<I, O>[]): Promise<void> {
    try {
      const results = await this.#options.work(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as O);
    } catch (error) {
      const { retryAlone } = this.#options;
      if (isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else if (retryAlone)
        for (const { item, resolve, reject } of batch) void retryAlone(item).then(resolve, reject);
      else if (batch.length === 1) batch[0]?.reject(error);
      else for (const call of batch) await this.#process(key, [call]);
    }
  }
}
