/** A reply may be this much older than its arrival. */
const maxReplyAgeMs = 5000;

/** Listeners to changes of topics, and when each topic last changed, by this browser's clock. */
export class TopicListeners<T extends string> {
  readonly #listeners = new Set<{ topics: readonly T[]; call: () => void }>();
  readonly #changedAt = new Map<T, number>();
  /** When any topic may have changed: the stream was interrupted. */
  #allChangedAt = 0;

  /** Calls the listeners to one of the topics; all listeners if it is unknown which topics have changed. */
  changed(topics: readonly T[] | undefined): void {
    for (const topic of topics ?? []) this.#changedAt.set(topic, Date.now());
    if (!topics) this.#allChangedAt = Date.now();
    for (const listener of this.#listeners)
      if (!topics || listener.topics.some((topic) => topics.includes(topic))) listener.call();
  }

  /** Adds a listener. Returns the function that removes it. */
  listen(topics: readonly T[], call: () => void): () => void {
    const listener = { topics, call };
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns when one of the topics last changed, in milliseconds; 0 if none has. */
  changedMs(topics: readonly T[]): number {
    return Math.max(this.#allChangedAt, ...topics.map((topic) => this.#changedAt.get(topic) ?? 0));
  }
}

/**
 * Whether data may predate a change. All arguments are in milliseconds by this browser's clock; `fetchedMs` 0
 * means that the data is being fetched. A reply may have been read a while before it arrived.
 */
export function mayBeStale(fetchedMs: number, changedMs: number, nowMs: number): boolean {
  return (fetchedMs || nowMs) < changedMs + maxReplyAgeMs;
}
