const pauseMs = 20;

/** Waits until a look finds what it looks for; fails with what it last saw after a time. */
export async function until<T>(
  look: () => Promise<T>,
  isThere: (seen: T) => boolean,
  timeoutMs = 15_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (isThere(seen)) return seen;
    if (Date.now() > end) throw new Error(`not seen within ${timeoutMs} ms; last: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
