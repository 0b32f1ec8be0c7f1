/** Size and refill of a token bucket. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/**
 * Token buckets by key. Each is kept as the one moment at which it will be full again (the generic cell rate algorithm),
 * so that a full bucket need not be kept at all. Beyond `most` buckets the least recently used one is forgotten.
 */
export class TokenBuckets {
  readonly #most: number;
  readonly #now: () => number;
  readonly #tokenMs: number;
  readonly #burstMs: number;
  readonly #fullAt = new Map<string, number>();

  /** @param now A clock in milliseconds that never goes back. */
  constructor({ burst, perSecond }: Rate, most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
    this.#tokenMs = 1000 / perSecond;
    this.#burstMs = burst * this.#tokenMs;
  }

  /** Buckets in memory. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** Milliseconds until a bucket has a token; 0 where it has one now. */
  waitMs(key: string): number {
    const now = this.#now();
    return Math.max(0, this.#fullFrom(key, now) + this.#tokenMs - this.#burstMs - now);
  }

  /** Takes a token, which {@link waitMs} has said is there. */
  take(key: string): void {
    const fullAt = this.#fullFrom(key, this.#now()) + this.#tokenMs;
    // A Map lists its keys in the order of insertion: the first is always the least recently used.
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    for (const oldest of this.#fullAt.keys()) {
      if (this.#fullAt.size <= this.#most) break;
      this.#fullAt.delete(oldest);
    }
  }

  #fullFrom(key: string, now: number): number {
    return Math.max(now, this.#fullAt.get(key) ?? 0);
  }
}
