/**
 * Makes a call with a signal that aborts after a time, or when the page stops waiting. By a timer: browsers before 2024 lack
 * `AbortSignal.any`, those before 2022 `AbortSignal.timeout`, and a payer's phone may be older.
 */
export async function withinTime<T>(
  limitMs: number,
  call: (signal: AbortSignal) => Promise<T>,
  stopped?: AbortSignal,
): Promise<T> {
  const limited = new AbortController();
  const abort = () => limited.abort();
  const timer = setTimeout(abort, limitMs);
  if (stopped?.aborted) abort();
  stopped?.addEventListener('abort', abort);
  try {
    return await call(limited.signal);
  } finally {
    clearTimeout(timer);
    stopped?.removeEventListener('abort', abort);
  }
}
