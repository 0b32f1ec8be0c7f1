import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** So many processors are kept busy by work that reads from the database: one by us, one by PostgreSQL. Others are left for everybody else. */
const busyProcessors = 2;
const workMs = 8;
const restMs = 3;

/**
 * Passes on the steps of long work that reads from the database, and rests every few milliseconds if the work would otherwise take all processors. While
 * nobody reads its rows, the database rests, too.
 */
export async function* withRests<T>(
  steps: AsyncIterable<T>,
  processors = availableParallelism(),
): AsyncGenerator<T> {
  if (processors > busyProcessors) return yield* steps;
  let dueAt = performance.now() + workMs;
  for await (const step of steps) {
    if (performance.now() >= dueAt) {
      await pause(restMs);
      dueAt = performance.now() + workMs;
    }
    yield step;
  }
}
