import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** So many processors are kept busy by work that reads from a database on the same machine: one by us, one by PostgreSQL. Others are left for everybody else. */
const busyProcessors = 2;
const workMs = 8;
const restMs = 3;

/**
 * Passes on the steps of long work that reads from the database, and rests after every few milliseconds of this thread's time if the work would otherwise
 * take all processors. Only time in which its event loop is active counts. Once its buffers are full, the database waits as well.
 */
export async function* withRests<T>(
  steps: AsyncIterable<T>,
  processors = availableParallelism(),
): AsyncGenerator<T> {
  if (processors > busyProcessors) return yield* steps;
  let restedAt = performance.eventLoopUtilization();
  for await (const step of steps) {
    if (performance.eventLoopUtilization(restedAt).active >= workMs) {
      await pause(restMs);
      restedAt = performance.eventLoopUtilization();
    }
    yield step;
  }
}
