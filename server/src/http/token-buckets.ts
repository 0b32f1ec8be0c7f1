/** Size and refill of a token bucket. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** The content of a bucket. */
export interface BucketState {
  tokens: number;
  /** Milliseconds until it is full again. */
  fullAfterMs: number;
}

/**
 * Token buckets by key. Each is stored as the time at which it will be full again (generic cell rate
 * algorithm), so a full bucket needs no entry. Beyond `maxBuckets`, the least recently used bucket is
 * evicted.
 */
export class TokenBuckets {
  readonly #maxBuckets: number;
  readonly #now: () => number;
  readonly #tokenMs: number;
  readonly #burstMs: number;
  readonly #fullAt = new Map<string, number>();

  /** @param now A monotonic clock in milliseconds. */
  constructor({ burst, perSecond }: Rate, maxBuckets: number, now: () => number = () => performance.now()) {
    this.#maxBuckets = maxBuckets;
    this.#now = now;
    this.#tokenMs = 1000 / perSecond;
    this.#burstMs = burst * this.#tokenMs;
  }

  /** Number of buckets in memory. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** Returns the milliseconds until a bucket has a token; 0 if it has one now. */
  waitMs(key: string): number {
    const now = this.#now();
    return Math.max(0, this.#fullFrom(key, now) + this.#tokenMs - this.#burstMs - now);
  }

  /** Returns what is left in a bucket. */
  stateOf(key: string): BucketState {
    const now = this.#now();
    const fullAfterMs = this.#fullFrom(key, now) - now;
    // A call that follows another within the same instant must not lose a token to rounding.
    const tokens = Math.floor((this.#burstMs - fullAfterMs) / this.#tokenMs + 1e-6);
    return { tokens: Math.max(0, tokens), fullAfterMs };
  }

  /** Takes a token. Call it only if {@link waitMs} returns 0. */
  take(key: string): void {
    const fullAt = this.#fullFrom(key, this.#now()) + this.#tokenMs;
    // A Map iterates in insertion order: the first key is the least recently used.
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    for (const oldest of this.#fullAt.keys()) {
      if (this.#fullAt.size <= this.#maxBuckets) break;
      this.#fullAt.delete(oldest);
    }
  }

  #fullFrom(key: string, now: number): number {
    return Math.max(now, this.#fullAt.get(key) ?? 0);
  }
}
