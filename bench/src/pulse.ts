import { Worker } from 'node:worker_threads';

/** What both threads see. */
export interface PulseData {
  url: string;
  longestMs: Float64Array;
  answers: Int32Array;
}

/** How long other calls wait: somebody asks the product for nearly nothing, all the time. */
export class Pulse {
  readonly #data: PulseData;
  readonly #worker: Worker;

  constructor(url: string) {
    this.#data = {
      url,
      longestMs: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
      answers: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    };
    this.#worker = new Worker(new URL('./pulse-child.ts', import.meta.url), { workerData: this.#data });
  }

  /** Milliseconds of the longest wait while some work was under way, and until it was over. */
  async longestWait(work: () => Promise<unknown>): Promise<number> {
    await this.#answered(1);
    this.#data.longestMs[0] = 0;
    await work();
    // The one that may have waited, and one that certainly came after.
    await this.#answered(2);
    return this.#data.longestMs[0] ?? 0;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #answered(count: number): Promise<void> {
    const { answers } = this.#data;
    const until = Atomics.load(answers, 0) + count;
    for (let now = Atomics.load(answers, 0); now < until; now = Atomics.load(answers, 0))
      await Atomics.waitAsync(answers, 0, now).value;
  }
}
