import { setTimeout } from 'node:timers/promises';

/** Awaits work. Rejects with an error of this text if it takes longer than `limitMs`; the work is not canceled. */
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
