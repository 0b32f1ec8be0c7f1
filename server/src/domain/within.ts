import { setTimeout } from 'node:timers/promises';

/** Awaits work, but not longer than a time in milliseconds: then it throws an error with the text. The work itself goes on. */
export async function within<T>(limitMs: number, work: Promise<T>, text = 'too late'): Promise<T> {
  const ended = new AbortController();
  const late = setTimeout(limitMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(text);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    ended.abort();
  }
}
