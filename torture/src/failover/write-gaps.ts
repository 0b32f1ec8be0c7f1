const sampleEveryMs = 50;

/** Watches how long nobody's write is acknowledged. */
export class WriteGaps {
  readonly #count: () => number;
  readonly #timer: NodeJS.Timeout;
  #seen: number;
  #lastAt = performance.now();
  #longestMs = 0;

  /** `count` returns the number of writes acknowledged so far. */
  constructor(count: () => number) {
    this.#count = count;
    this.#seen = count();
    this.#timer = setInterval(() => this.#sample(), sampleEveryMs);
  }

  /** Forgets the gaps so far: a measurement begins. */
  begin(): void {
    this.#sample();
    this.#lastAt = performance.now();
    this.#longestMs = 0;
  }

  /** The longest time without an acknowledged write since {@link begin}, including one that lasts. */
  get longestMs(): number {
    return Math.max(this.#longestMs, performance.now() - this.#lastAt);
  }

  /** When the last write was acknowledged, as a time of `performance.now()`. */
  get lastAt(): number {
    return this.#lastAt;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const count = this.#count();
    if (count === this.#seen) return;
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastAt);
    this.#seen = count;
    this.#lastAt = now;
  }
}
