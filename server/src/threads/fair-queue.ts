interface Limits {
  /** Pieces of work that may run at the same time. */
  concurrency: number;
  /** Pieces that may wait, in one lane and in all. */
  waitingInLane: number;
  waitingInAll: number;
}

/**
 * Runs heavy work with limited concurrency. Waiting work is served round-robin by lane, so that a caller with
 * a lot of work delays only itself.
 */
export class FairQueue {
  readonly #limits: Limits;
  readonly #lanes = new Map<string, (() => void)[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether work of a lane would be rejected now. */
  isFull(lane: string): boolean {
    const inLane = this.#lanes.get(lane)?.length ?? 0;
    return inLane >= this.#limits.waitingInLane || this.#waiting >= this.#limits.waitingInAll;
  }

  /** Resolves with the work's result; with undefined, without running it, if too much is waiting. */
  async run<T>(lane: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#running < this.#limits.concurrency) this.#running++;
    else if (!(await this.#wait(lane))) return undefined;
    try {
      return await work();
    } finally {
      this.#releaseSlot();
    }
  }

  async #wait(name: string): Promise<boolean> {
    if (this.isFull(name)) return false;
    const lane = this.#lanes.get(name) ?? [];
    this.#waiting++;
    await new Promise<void>((resolve) => {
      lane.push(resolve);
      this.#lanes.set(name, lane);
    });
    return true;
  }

  /** Hands the slot to the first of the next lane, which then moves to the back. */
  #releaseSlot(): void {
    const [next] = this.#lanes;
    if (!next) {
      this.#running--;
      return;
    }
    const [name, lane] = next;
    const resume = lane.shift();
    this.#lanes.delete(name);
    if (lane.length > 0) this.#lanes.set(name, lane);
    this.#waiting--;
    resume?.();
  }
}
