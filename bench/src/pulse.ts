import { Worker } from 'node:worker_threads';

/** Memory shared by both threads. */
export interface PulseData {
  url: string;
  longestMs: Float64Array;
  replies: Int32Array;
}

/** Measures how long other calls wait, by requesting a trivial endpoint continuously. */
export class Pulse {
  readonly #data: PulseData;
  readonly #worker: Worker;

  constructor(url: string) {
    this.#data = {
      url,
      longestMs: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
      replies: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    };
    this.#worker = new Worker(new URL('./pulse-child.ts', import.meta.url), { workerData: this.#data });
  }

  /** Runs the work; returns the longest wait until it was done, in milliseconds. */
  async longestWait(work: () => Promise<unknown>): Promise<number> {
    await this.#replied(1);
    this.#data.longestMs[0] = 0;
    await work();
    // The first reply may belong to a request that waited; the second was requested afterwards.
    await this.#replied(2);
    return this.#data.longestMs[0] ?? 0;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #replied(count: number): Promise<void> {
    const { replies } = this.#data;
    const until = Atomics.load(replies, 0) + count;
    for (let now = Atomics.load(replies, 0); now < until; now = Atomics.load(replies, 0))
      await Atomics.waitAsync(replies, 0, now).value;
  }
}
