interface Limits {
  /** Pieces of work per lane that may wait, besides the one that runs. */
  waiting: number;
  /** Lanes that may run at the same time. */
  concurrency: number;
}

/**
 * Runs work one piece at a time per lane, and a limited number of lanes at a time. Lanes are served round-robin, so that a
 * lane with a lot of work delays only itself.
 */
export class SerialQueue {
  readonly #limits: Limits;
  /** Waiting work by lane. The lanes are in the order in which they are served. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Set<string>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Resolves with the work's result; with undefined, without running it, if too much of its lane is waiting. */
  async run<T>(lane: string, work: () => Promise<T>): Promise<T | undefined> {
    const waiting = this.#waiting.get(lane) ?? [];
    const queued = waiting.length + (this.#running.has(lane) ? 1 : 0);
    if (queued > this.#limits.waiting) return undefined;
    await new Promise<void>((start) => {
      waiting.push(start);
      this.#waiting.set(lane, waiting);
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(lane);
      this.#startNext();
    }
  }

  /** Starts the first work of the next lane that is not running. The lane then moves to the back. */
  #startNext(): void {
    if (this.#running.size >= this.#limits.concurrency) return;
    const next = this.#waiting.entries().find(([lane]) => !this.#running.has(lane));
    if (!next) return;
    const [lane, waiting] = next;
    const start = waiting.shift();
    this.#waiting.delete(lane);
    if (waiting.length > 0) this.#waiting.set(lane, waiting);
    this.#running.add(lane);
    start?.();
  }
}
