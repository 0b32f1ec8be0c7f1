import { isDatabaseAway } from './pool.ts';

interface Call<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

/** The calls of one key that wait, and its batches in progress. */
interface KeyState<I, O> {
  waiting: Call<I, O>[];
  /** Loops that take one batch after the other: one, unless a batch is stuck. */
  loops: number;
  /** Batches in progress, those included that have been executed and are not committed yet. */
  openBatches: number;
  /** Numbers of items of open batches by lane. */
  lanes: Map<unknown, number>;
  /** When the last batch began, by `performance.now()`. */
  batchBegunAt: number;
  /** Ends the rest between two batches. */
  endRest?: (() => void) | undefined;
  /** Ends the wait of loops for calls that can be taken. */
  resume: Set<() => void>;
}

const maxConcurrentBatches = 4;
/** Batches of a key that wait for their commit at the same time. */
const maxOpenBatches = 4;
/** As many calls as are worth a batch of their own. */
export const enoughCalls = 16;

/** Options of a {@link MicroBatcher}. */
export interface MicroBatcherOptions<K, I, O> {
  /**
   * Processes all items or none. Returns one result per item, in their order. Once it has called `onExecuted`, the next batch starts: that one
   * is executed while this one waits for the disk.
   */
  work: (key: K, items: readonly I[], onExecuted: () => void) => Promise<readonly O[]>;
  /** Two items that have one of these in common are never in the same batch. */
  conflictKeysOf: (item: I) => readonly string[];
  maxBatchSize: number;
  /**
   * Items of one lane are never in two batches at once, because the second one would wait for rows that the first one has locked. Items of
   * all lanes may be if absent.
   */
  laneOf?: (item: I) => unknown;
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
      const state = this.#keys.get(key) ?? newState();
      this.#keys.set(key, state);
      state.waiting.push({ item, resolve, reject });
      if (state.waiting.length >= enoughCalls) state.endRest?.();
      if (!this.#isLaneOpen(state, item)) resumeAll(state);
      if (state.loops === 0 || this.#isStuck(state)) void this.#run(key, state);
    });
  }

  #isLaneOpen({ lanes }: KeyState<I, O>, item: I): boolean {
    const { laneOf } = this.#options;
    return laneOf !== undefined && lanes.has(laneOf(item));
  }

  #isStuck({ loops, batchBegunAt }: KeyState<I, O>): boolean {
    const { stuckAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    return loops < maxConcurrentBatches && performance.now() - batchBegunAt >= stuckAfterMs;
  }

  async #run(key: K, state: KeyState<I, O>): Promise<void> {
    state.loops++;
    while (state.waiting.length > 0) {
      const batch = state.openBatches < maxOpenBatches ? this.#takeBatch(state) : [];
      if (batch.length === 0) {
        // The calls that wait belong to lanes of open batches, or there are too many of these.
        await new Promise<void>((resolve) => void state.resume.add(resolve));
        continue;
      }
      state.batchBegunAt = performance.now();
      await new Promise<void>((onExecuted) => void this.#open(key, state, { batch, onExecuted }));
      await this.#rest(state);
    }
    state.loops--;
    this.#forgetIdle(key, state);
  }

  /** Processes a batch, and calls `onExecuted` once the next one may start. */
  async #open(
    key: K,
    state: KeyState<I, O>,
    { batch, onExecuted }: { batch: readonly Call<I, O>[]; onExecuted: () => void },
  ): Promise<void> {
    const { laneOf } = this.#options;
    const lanes = laneOf ? batch.map(({ item }) => laneOf(item)) : [];
    for (const lane of lanes) state.lanes.set(lane, (state.lanes.get(lane) ?? 0) + 1);
    state.openBatches++;
    try {
      await this.#process(key, batch, onExecuted);
    } finally {
      state.openBatches--;
      for (const lane of lanes) {
        const others = (state.lanes.get(lane) ?? 0) - 1;
        if (others > 0) state.lanes.set(lane, others);
        else state.lanes.delete(lane);
      }
      onExecuted();
      resumeAll(state);
      this.#forgetIdle(key, state);
    }
  }

  #forgetIdle(key: K, state: KeyState<I, O>): void {
    if (state.loops === 0 && state.openBatches === 0 && this.#keys.get(key) === state) this.#keys.delete(key);
  }

  async #rest(state: KeyState<I, O>): Promise<void> {
    const { restMs = 0 } = this.#options;
    const leftMs = restMs - (performance.now() - state.batchBegunAt);
    // If another batch is stuck, a second loop serves the key.
    if (leftMs <= 0 || state.waiting.length >= enoughCalls || state.loops > 1) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      state.endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    state.endRest = undefined;
  }

  /** Removes the next batch from the waiting calls. Conflicting calls, and those of lanes of open batches, stay, in order. */
  #takeBatch(state: KeyState<I, O>): Call<I, O>[] {
    const batch: Call<I, O>[] = [];
    const left: Call<I, O>[] = [];
    const seenKeys = new Set<string>();
    for (const call of state.waiting) {
      const conflictKeys = this.#options.conflictKeysOf(call.item);
      const hasConflict = conflictKeys.some((conflictKey) => seenKeys.has(conflictKey));
      const isFree = !hasConflict && !this.#isLaneOpen(state, call.item);
      if (isFree && batch.length < this.#options.maxBatchSize) batch.push(call);
      else left.push(call);
      for (const conflictKey of conflictKeys) seenKeys.add(conflictKey);
    }
    state.waiting = left;
    return batch;
  }

  async #process(key: K, batch: readonly Call<I, O>[], onExecuted: () => void): Promise<void> {
    try {
      const results = await this.#options.work(
        key,
        batch.map(({ item }) => item),
        onExecuted,
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as O);
    } catch (error) {
      const { retryAlone } = this.#options;
      if (isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else if (retryAlone)
        for (const { item, resolve, reject } of batch) void retryAlone(item).then(resolve, reject);
      else if (batch.length === 1) batch[0]?.reject(error);
      else for (const call of batch) await this.#process(key, [call], () => {});
    }
  }
}

const newState = <I, O>(): KeyState<I, O> => ({
  waiting: [],
  loops: 0,
  openBatches: 0,
  lanes: new Map(),
  batchBegunAt: 0,
  resume: new Set(),
});

function resumeAll({ resume }: KeyState<unknown, never>): void {
  const loops = [...resume];
  resume.clear();
  for (const go of loops) go();
}
