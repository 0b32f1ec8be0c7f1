interface Limits {
  /** Pieces of work per lane that may wait, besides the one that runs. */
  waiting: number;
  /** Lanes that may run at the same time. */
  concurrency: number;
}

/** Runs work one piece at a time per lane, and a limited number of lanes at a time, first come, first served. */
export class SerialQueue {
  readonly #limits: Limits;
  readonly #lanes = new Map<string, number>();
  readonly #waiting: { lane: string; start: () => void }[] = [];
  readonly #running = new Set<string>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Resolves with the work's result; with undefined, without running it, if too much of its lane is waiting. */
  async run<T>(lane: string, work: () => Promise<T>): Promise<T | undefined> {
    const queued = this.#lanes.get(lane) ?? 0;
    if (queued > this.#limits.waiting) return undefined;
    this.#lanes.set(lane, queued + 1);
    await new Promise<void>((start) => {
      this.#waiting.push({ lane, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(lane);
      const left = (this.#lanes.get(lane) ?? 1) - 1;
      if (left === 0) this.#lanes.delete(lane);
      else this.#lanes.set(lane, left);
      this.#startNext();
    }
  }

  #startNext(): void {
    if (this.#running.size >= this.#limits.concurrency) return;
    const index = this.#waiting.findIndex(({ lane }) => !this.#running.has(lane));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) return;
    this.#running.add(next.lane);
    next.start();
  }
}
