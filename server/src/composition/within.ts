import { setTimeout } from 'node:timers/promises';

/** Health checks read the metrics and wait three seconds: a silent database must not fail them. */
const answerWithinMs = 2000;

/** Awaits a figure of the metrics, but not longer than health checks have time. */
export async function within<T>(work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = setTimeout(answerWithinMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`no answer within ${answerWithinMs} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    ended.abort();
  }
}
