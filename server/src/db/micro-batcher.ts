import { databaseFault, isDatabaseAway } from './pool.ts';

interface Call<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

/** The calls of one key that wait, and its batches in progress. */
interface KeyState<I, O> {
  waiting: Call<I, O>[];
  /** Loops that take one batch after the other: one, unless many calls wait or a batch is stuck. */
  loops: number;
  /** When each batch began that is being executed, by `performance.now()`. */
  executing: Set<{ begunAt: number }>;
  /** Batches in progress, those included that have been executed and are not committed yet. */
  openBatches: number;
  /** The lanes of open batches, each with its calls that wait for the end of that batch. */
  lanes: Map<unknown, Call<I, O>[]>;
  /** When the last batch began, by `performance.now()`. */
  batchBegunAt: number;
  /** Ends the rest between two batches. */
  endRest?: (() => void) | undefined;
  /** Wakes the loop that waits for the end of a batch. */
  resume?: (() => void) | undefined;
}

const maxConcurrentBatches = 4;
/** Loops of a key, at most, unless a batch is stuck. */
const maxUsualLoops = 2;
/** Batches of a key, at most, that are not committed yet, as long as it has one loop: each has a connection. */
const maxOpenBatches = 2;
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
   * Items that have a lane in common are never in two batches at once, because the second one would wait for rows that the first one has
   * locked. Without it, any items may be in concurrent batches.
   */
  lanesOf?: (item: I) => readonly unknown[];
  /** Likewise, but only while a batch is being executed: its rows hold up a batch that is executed beside it, not one that follows. */
  executionLanesOf?: (item: I) => readonly unknown[];
  /**
   * Once {@link enoughCalls} wait, the next batch is executed beside the one in progress, two at once at most. A batch of few calls is not, unless one is stuck: it
   * would cost nearly as much as a large one, and slow that one down. By default, one batch follows the other.
   */
  mayOverlap?: boolean;
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

  /** Adds an item to the next batch of its key. Resolves with its result, or rejects with its error. */
  submit(key: K, item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const state = this.#keys.get(key) ?? newState();
      this.#keys.set(key, state);
      if (this.#place(state, { item, resolve, reject })) this.#callLoop(key, state);
    });
  }

  /** Ends the rest, or starts a loop, if what waits is worth it. */
  #callLoop(key: K, state: KeyState<I, O>): void {
    if (state.endRest) {
      if (state.waiting.length >= enoughCalls) state.endRest();
    } else if (state.waiting.length > 0 && this.#isLoopMissing(state)) void this.#run(key, state);
  }

  #lanesOf(item: I): readonly unknown[] {
    return this.#options.lanesOf?.(item) ?? [];
  }

  #executionLanesOf(item: I): readonly unknown[] {
    return this.#options.executionLanesOf?.(item) ?? [];
  }

  /** Lets a call wait for the next batch, or behind a batch with one of its lanes; returns whether the next batch may take it. */
  #place(state: KeyState<I, O>, call: Call<I, O>): boolean {
    const lanes = [...this.#lanesOf(call.item), ...this.#executionLanesOf(call.item)];
    const lane = lanes.find((one) => state.lanes.has(one));
    const queue = lane === undefined ? state.waiting : state.lanes.get(lane);
    queue?.push(call);
    return lane === undefined;
  }

  #isLoopMissing({ loops, waiting, executing, batchBegunAt }: KeyState<I, O>): boolean {
    if (loops === 0) return true;
    if (loops >= maxConcurrentBatches) return false;
    const stuck = this.#countStuck(executing);
    if (this.#options.mayOverlap && loops - stuck < maxUsualLoops && waiting.length >= enoughCalls)
      return true;
    // A loop that executes nothing waits for commits.
    return executing.size > 0 ? stuck === executing.size : this.#isStuckSince(batchBegunAt);
  }

  #countStuck(executing: KeyState<I, O>['executing']): number {
    return [...executing].filter(({ begunAt }) => this.#isStuckSince(begunAt)).length;
  }

  #isStuckSince(begunAt: number): boolean {
    const { stuckAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    return performance.now() - begunAt >= stuckAfterMs;
  }

  /** Whether the next batch is left to the loops that execute one and are not stuck. */
  #isLeftToOthers({ waiting, executing }: KeyState<I, O>): boolean {
    if (!this.#options.mayOverlap) return false;
    const others = executing.size - this.#countStuck(executing);
    return others >= (waiting.length < enoughCalls ? 1 : maxUsualLoops);
  }

  async #run(key: K, state: KeyState<I, O>): Promise<void> {
    state.loops++;
    const beforeMs = this.#restOf(state);
    if (beforeMs > 0) await this.#rest(state, beforeMs);
    while (state.waiting.length > 0 && !this.#isLeftToOthers(state)) {
      const limit = state.loops > 1 ? maxConcurrentBatches : maxOpenBatches;
      if (state.openBatches >= limit) {
        // One loop that waits is enough.
        if (state.resume) break;
        await new Promise<void>((resolve) => {
          state.resume = resolve;
        });
        continue;
      }
      const batch = this.#takeBatch(state);
      const execution = { begunAt: performance.now() };
      state.batchBegunAt = execution.begunAt;
      state.executing.add(execution);
      await new Promise<void>((onExecuted) => void this.#open(key, state, { batch, onExecuted }));
      state.executing.delete(execution);
      const leftMs = this.#restOf(state);
      if (leftMs > 0) await this.#rest(state, leftMs);
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
    const lanes = new Set(batch.flatMap(({ item }) => this.#lanesOf(item)));
    let executionLanes = batch
      .flatMap(({ item }) => this.#executionLanesOf(item))
      .filter((lane) => !lanes.has(lane));
    for (const lane of [...lanes, ...executionLanes]) state.lanes.set(lane, []);
    for (const call of state.waiting.splice(0)) this.#place(state, call);
    state.openBatches++;
    const noteExecuted = () => {
      this.#release(state, executionLanes);
      // Another batch may have them now.
      executionLanes = [];
      onExecuted();
    };
    try {
      const processed = this.#process(key, batch, noteExecuted);
      this.#callLoop(key, state);
      await processed;
    } finally {
      state.openBatches--;
      this.#release(state, lanes);
      noteExecuted();
      state.resume?.();
      state.resume = undefined;
      this.#callLoop(key, state);
      this.#forgetIdle(key, state);
    }
  }

  /** Lets the calls behind a batch's lanes wait for the next batch, after those of other lanes that came meanwhile. */
  #release(state: KeyState<I, O>, lanes: Iterable<unknown>): void {
    const behind: Call<I, O>[] = [];
    for (const lane of lanes) {
      behind.push(...(state.lanes.get(lane) ?? []));
      state.lanes.delete(lane);
    }
    for (const call of behind) this.#place(state, call);
  }

  #forgetIdle(key: K, state: KeyState<I, O>): void {
    if (state.loops === 0 && state.openBatches === 0) this.#keys.delete(key);
  }

  /** Returns how many milliseconds the next batch waits for further calls. */
  #restOf({ batchBegunAt, waiting, loops }: KeyState<I, O>): number {
    const { restMs = 0 } = this.#options;
    // A second loop begins because calls have waited long enough, or enough of them.
    if (waiting.length >= enoughCalls || loops > 1) return 0;
    return restMs - (performance.now() - batchBegunAt);
  }

  async #rest(state: KeyState<I, O>, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      state.endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    state.endRest = undefined;
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

  async #process(key: K, batch: readonly Call<I, O>[], onExecuted: () => void): Promise<void> {
    let isExecuted = false;
    const noteExecuted = () => {
      isExecuted = true;
      onExecuted();
    };
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.#options.work(key, items, noteExecuted);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as O);
    } catch (error) {
      const { retryAlone } = this.#options;
      // After its execution, a batch is rolled back only if PostgreSQL says so.
      const isUnknown = isDatabaseAway(error) || (isExecuted && !databaseFault(error));
      if (isUnknown) for (const { reject } of batch) reject(error);
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
  executing: new Set(),
  openBatches: 0,
  lanes: new Map(),
  batchBegunAt: Number.NEGATIVE_INFINITY,
});
