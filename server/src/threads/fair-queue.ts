interface Limits {
  /** Pieces of work that run at the same time. */
  atOnce: number;
  /** Pieces that wait, of one lane and of all. */
  waitingInLane: number;
  waitingInAll: number;
}

/**
 * Runs heavy work, so much at once; what waits is served lane by lane in turn, so that whoever asks for much waits behind
 * themselves and not before everybody else.
 */
export class FairQueue {
  readonly #limits: Limits;
  readonly #lanes = new Map<string, (() => void)[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether work of a lane would be turned away now. */
  isFull(lane: string): boolean {
    const inLane = this.#lanes.get(lane)?.length ?? 0;
    return inLane >= this.#limits.waitingInLane || this.#waiting >= this.#limits.waitingInAll;
  }

  /** The work's result; undefined, and nothing was done, where too much waits already. */
  async run<T>(lane: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#running < this.#limits.atOnce) this.#running++;
    else if (!(await this.#wait(lane))) return undefined;
    try {
      return await work();
    } finally {
      this.#passOn();
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

  /** Hands the place over to the first of the next lane; that lane then stands last. */
  #passOn(): void {
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
