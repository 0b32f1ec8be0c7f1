import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 2000;
/** The share of its time that the event loop may have worked in a quiet interval. */
const quietShare = 0.1;

/**
 * Runs work once, in the first interval in which the event loop has had little to do, however long that takes. Nothing waits for it, a
 * process that ends neither.
 */
export async function onceQuiet(work: () => void, intervalMs = everyMs): Promise<void> {
  for (let last = performance.eventLoopUtilization(); ; ) {
    await pause(intervalMs, undefined, { ref: false });
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, last).utilization < quietShare) return work();
    last = now;
  }
}

/**
 * Returns what only the start needed to the system: a third of the memory. This takes about as long as two page views, so it waits until
 * nobody does. Without `--expose-gc` nothing happens.
 */
export function returnStartMemory(): void {
  const { gc } = globalThis;
  if (gc) void onceQuiet(() => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}
