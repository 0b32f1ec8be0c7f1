import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 1000;

export interface HeartbeatOptions {
  /** Renews the attempt. Returns false if it was canceled or given up. */
  beat: () => Promise<boolean>;
  /** Bytes written so far: a figure that stays the same means that the attempt hangs. */
  written: () => bigint;
  /** An attempt that has written nothing for this long ends like one whose worker died. */
  stalledAfterMs: number;
}

/** Renews an attempt of a job every second, however long its work waits for something, until it ends. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #over = new AbortController();
  readonly #stop = new AbortController();
  readonly #beating: Promise<void>;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#beating = this.#run();
  }

  /** Aborted once the attempt was canceled or given up, or hangs. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Stops, and waits for the current beat: a late one would record the rows of an earlier moment. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#beating;
  }

  async #run(): Promise<void> {
    const { beat, written, stalledAfterMs } = this.#options;
    let last = { written: written(), atMs: performance.now() };
    while (await pause(everyMs, true, { signal: this.#stop.signal }).catch(() => false)) {
      if (written() !== last.written) last = { written: written(), atMs: performance.now() };
      const isStalled = performance.now() - last.atMs >= stalledAfterMs;
      // After a beat that failed, the next one may succeed in time.
      if (isStalled || !(await beat().catch(() => true))) return this.#over.abort();
    }
  }
}
