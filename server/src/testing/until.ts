const pauseMs = 20;

/** Polls until a predicate accepts the value read. Throws with the last value after a timeout. */
export async function until<T>(
  read: () => Promise<T>,
  isAccepted: (value: T) => boolean,
  timeoutMs = 15_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isAccepted(value)) return value;
    if (Date.now() > end)
      throw new Error(`condition not met within ${timeoutMs} ms; last value: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
