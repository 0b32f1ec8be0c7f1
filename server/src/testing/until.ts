const shortestPauseMs = 20;
const longestPauseMs = 100;

/**
 * Polls until a predicate accepts the value read, less often the longer it waits, so that polling does not slow down what it waits for.
 * Throws with the last value after a timeout.
 */
export async function until<T>(
  read: () => Promise<T>,
  isAccepted: (value: T) => boolean,
  timeoutMs = 15_000,
): Promise<T> {
  const start = Date.now();
  for (;;) {
    const value = await read();
    if (isAccepted(value)) return value;
    const waitedMs = Date.now() - start;
    if (waitedMs > timeoutMs)
      throw new Error(`condition not met within ${timeoutMs} ms; last value: ${JSON.stringify(value)}`);
    const pauseMs = Math.min(Math.max(waitedMs / 20, shortestPauseMs), longestPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
