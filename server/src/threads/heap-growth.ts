import { constants, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** Intervals in which the event loop has to be quiet: after the start, and, because calls come in bursts, longer after load. */
const quietMs = { afterStart: 2000, afterLoad: 20_000 };
/** The share of its time that the event loop may have worked in a quiet interval. */
const quietShare = 0.1;
/** Full collections that follow each other within this time are too frequent. */
const frequentMs = 4000;
/** How much the heap may grow over what is alive before it is collected in full, in percent. At rest, the flag of the start applies. */
const percentUnderLoad = 300;
const flag = '--heap-growing-percent';
/** Includes compiled code that has not run lately, and returns the memory to the system at once. */
const everything = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

/** The flag that the process was started with, if any. */
const atRest = process.execArgv.find((argument) => argument.startsWith(`${flag}=`));
let isUnderLoad = false;
let smallHeaps = 0;

/**
 * Keeps the heap small at rest, and lets it grow under load. A full collection keeps the processors busy for some 60 ms, in which calls pile up.
 * With the small heap, one follows the other every few seconds under load. Once that is seen, the heap may grow to several times its size. Once
 * the event loop is quiet again, the heap is small again, and the rest returned to the system. The first quiet moment returns what
 * only the start needed: a third of the memory. Returning takes as long as two page views, so it waits until nobody does. Without
 * `--expose-gc` nothing happens.
 */
export async function adaptHeapGrowth({ afterStart, afterLoad } = quietMs): Promise<void> {
  const { gc } = globalThis;
  if (!gc) return;
  await quietMoment(afterStart);
  gc(everything);
  while (atRest) {
    await frequentCollections();
    isUnderLoad = true;
    setGrowth();
    await quietMoment(afterLoad);
    isUnderLoad = false;
    setGrowth();
    gc(everything);
  }
}

/**
 * Has all heaps of the process grow as at rest until the returned function is called: the limit applies to those of other threads as well, which
 * have much garbage and little that is alive.
 */
export function keepHeapsSmall(): () => void {
  smallHeaps++;
  setGrowth();
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    smallHeaps--;
    setGrowth();
  };
}

function setGrowth(): void {
  if (atRest) setFlagsFromString(isUnderLoad && smallHeaps === 0 ? `${flag}=${percentUnderLoad}` : atRest);
}

/** Resolves after the first interval in which the event loop has had little to do. A process that ends does not wait for it. */
export async function quietMoment(intervalMs: number): Promise<void> {
  for (let last = performance.eventLoopUtilization(); ; ) {
    await pause(intervalMs, undefined, { ref: false });
    const now = performance.eventLoopUtilization();
    if (isQuiet(now, last)) return;
    last = now;
  }
}

/** Resolves when a full collection follows another one after a short time, in which the event loop was not quiet. */
function frequentCollections(): Promise<void> {
  return new Promise((resolve) => {
    let lastAt = Number.NEGATIVE_INFINITY;
    let last = performance.eventLoopUtilization();
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!isFull(entry)) continue;
        const now = performance.eventLoopUtilization();
        const isFrequent = entry.startTime - lastAt < frequentMs && !isQuiet(now, last);
        lastAt = entry.startTime;
        last = now;
        if (!isFrequent) continue;
        observer.disconnect();
        resolve();
      }
    });
    observer.observe({ entryTypes: ['gc'] });
  });
}

/** Whether an entry is that of a full collection. Entries of collections have details, which Node's types do not mention. */
const isFull = (entry: PerformanceEntry & { detail?: { kind?: number } }) =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

type Utilization = ReturnType<typeof performance.eventLoopUtilization>;

const isQuiet = (now: Utilization, last: Utilization) =>
  performance.eventLoopUtilization(now, last).utilization < quietShare;
