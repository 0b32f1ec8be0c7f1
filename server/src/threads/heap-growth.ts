import { constants, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** When the heap of a process counts as under load, and when as at rest. */
interface Limits {
  /** The event loop's share of work is measured over intervals of this length. */
  intervalMs: number;
  /** Two full collections within this time are too frequent. */
  frequentMs: number;
  /** Quiet intervals in a row after which memory is returned: after the start, and, because calls come in bursts, longer after load. */
  quietAfterStart: number;
  quietAfterLoad: number;
  /** After work that was not a load, memory is returned at most this often: it takes a moment, and compiled code that was dropped has to be compiled again. */
  returnGapMs: number;
}

const defaultLimits: Limits = {
  intervalMs: 2000,
  frequentMs: 15_000,
  quietAfterStart: 1,
  quietAfterLoad: 10,
  returnGapMs: 5 * 60_000,
};
/** See {@link collectDuring}. */
const collectEveryMs = 2000;
/** Shares of an interval in which the event loop works: below the first it is quiet, from the second on it is busy. */
const shares = { quiet: 0.1, busy: 0.2 };
const growthFlag = '--heap-growing-percent';
/** How much the heap may grow over what is alive before the next full collection. At rest, the flag of the start applies. */
const growthUnderLoad = `${growthFlag}=300`;
const growthAtRest = process.execArgv.find((argument) => argument.startsWith(`${growthFlag}=`));
/** Drops compiled code that has not run lately as well, and returns the memory to the system at once. */
const everything = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;
const garbage = { type: 'major', execution: 'sync' } as const;

let isUnderLoad = false;
let hasToCollect = false;
/** Work of {@link withSmallHeaps} in progress. */
let smallHeapHolds = 0;
/** Work of {@link collectDuring} in progress, and its common timer. */
const collecting: { works: number; timer: NodeJS.Timeout | undefined } = { works: 0, timer: undefined };

/**
 * Keeps the heap small at rest, and lets it grow under load. A full collection keeps the processors busy for some 60 ms, in which calls pile up, and
 * under load a small heap needs one every few seconds. Once that is seen, the heap may grow to several times its size. Once
 * the event loop has been quiet for a while, the heap is small again, and the rest is returned to the system; likewise every few minutes after less work. The
 * first quiet interval returns what only the start needed: a third of the memory. Returning takes as long as two page views. Without
 * `--expose-gc`, nothing happens; without `--heap-growing-percent=…` at the start, memory is only returned.
 */
export async function adaptHeapGrowth(limits = defaultLimits): Promise<void> {
  const { gc } = globalThis;
  if (!gc) return;
  const collections = new FullCollections(limits.frequentMs);
  let isStarting = true;
  let hasToReturn = true;
  let quietIntervals = 0;
  let returnedAt = Number.NEGATIVE_INFINITY;
  for (let last = performance.eventLoopUtilization(); ; ) {
    // A process that ends does not wait for it.
    await pause(limits.intervalMs, undefined, { ref: false });
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    quietIntervals = utilization < shares.quiet ? quietIntervals + 1 : 0;
    if (collections.takeFrequent() && utilization >= shares.busy && growthAtRest) {
      isUnderLoad = true;
      setGrowth();
    }
    hasToReturn ||= quietIntervals === 0;
    const wantedQuiet = isStarting && !isUnderLoad ? limits.quietAfterStart : limits.quietAfterLoad;
    const isRecent = !isUnderLoad && performance.now() - returnedAt < limits.returnGapMs;
    const returns = hasToReturn && quietIntervals >= wantedQuiet && !isRecent;
    if (!returns && !(hasToCollect && quietIntervals > 0)) continue;
    if (returns) {
      // The gap does not begin with the start.
      if (!isStarting) returnedAt = performance.now();
      isStarting = false;
      isUnderLoad = false;
      hasToReturn = false;
      setGrowth();
    }
    hasToCollect = false;
    gc(returns ? everything : garbage);
    collections.forget();
    last = performance.eventLoopUtilization();
  }
}

/** Has garbage collected in the next quiet interval, even under load. For memory that V8 does not count, so that nothing else would have it collected. */
export function collectWhenQuiet(): void {
  hasToCollect = true;
}

/**
 * Limits the growth of all heaps of the process to that at rest during work, each from its next full collection on. V8's limit applies to other
 * threads as well, whose heaps are mostly garbage.
 */
export async function withSmallHeaps<T>(work: () => Promise<T>): Promise<T> {
  smallHeapHolds++;
  setGrowth();
  try {
    return await work();
  } finally {
    smallHeapHolds--;
    setGrowth();
  }
}

/**
 * Collects this thread's garbage every two seconds during work. V8 would let its heap double first, and would keep the memory: the heap of a thread is
 * small, but full of what only its start needed, and then of what the work leaves. Each collection takes 20 to 50 ms. Without `--expose-gc`, nothing is collected.
 */
export async function collectDuring<T>(work: () => Promise<T>): Promise<T> {
  collecting.works++;
  collecting.timer ??= setInterval(() => globalThis.gc?.(garbage), collectEveryMs);
  try {
    return await work();
  } finally {
    collecting.works--;
    if (collecting.works === 0) {
      clearInterval(collecting.timer);
      collecting.timer = undefined;
    }
  }
}

function setGrowth(): void {
  const isSmall = !isUnderLoad || smallHeapHolds > 0;
  if (growthAtRest) setFlagsFromString(isSmall ? growthAtRest : growthUnderLoad);
}

/** Notices full collections of this thread's heap that follow each other too soon. */
class FullCollections {
  #since = Number.NEGATIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  #wereFrequent = false;

  constructor(frequentMs: number) {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!isFull(entry) || entry.startTime < this.#since) continue;
        this.#wereFrequent ||= entry.startTime - this.#lastAt < frequentMs;
        this.#lastAt = entry.startTime;
      }
    });
    observer.observe({ entryTypes: ['gc'] });
  }

  /** Returns whether they were too frequent since the last call. */
  takeFrequent(): boolean {
    const wereFrequent = this.#wereFrequent;
    this.#wereFrequent = false;
    return wereFrequent;
  }

  /** Ignores the collections until now. Node reports them later. */
  forget(): void {
    this.#since = performance.now();
    this.#lastAt = Number.NEGATIVE_INFINITY;
    this.#wereFrequent = false;
  }
}

/** Whether an entry is that of a full collection. Entries of collections have details, which Node's types do not mention. */
const isFull = (entry: PerformanceEntry & { detail?: { kind?: number } }) =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
