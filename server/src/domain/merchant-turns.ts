import { Refusal } from './refusal.ts';

/** Calls of one merchant that may wait in one process. */
export const maxWaiting = 500;

const busyRetrySeconds = 5;

/**
 * Runs work of one merchant at a time, in the order of the calls, within this process. For work that a lock of the database would order
 * anyway: here it waits without a connection, so that many calls of one merchant leave the pool to the others.
 */
export class MerchantTurns {
  /** The waiting calls of each merchant whose work is running. */
  readonly #lines = new Map<bigint, Set<() => void>>();

  /**
   * Runs the work in its turn. Throws `too_many_requests`, without running it, if too many calls of the merchant are waiting, and if
   * `gone` is aborted before its turn: nobody waits for the answer any more.
   */
  async run<T>(merchantId: bigint, work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    await this.#turn(merchantId, gone);
    try {
      if (gone?.aborted) throw busy();
      return await work();
    } finally {
      this.#next(merchantId);
    }
  }

  async #turn(merchantId: bigint, gone: AbortSignal | undefined): Promise<void> {
    const line = this.#lines.get(merchantId);
    if (!line) {
      this.#lines.set(merchantId, new Set());
      return;
    }
    if (line.size >= maxWaiting) throw busy();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        if (line.delete(begin)) reject(busy());
      };
      const begin = () => {
        gone?.removeEventListener('abort', leave);
        resolve();
      };
      line.add(begin);
      gone?.addEventListener('abort', leave);
      if (gone?.aborted) leave();
    });
  }

  /** Lets the next call begin. */
  #next(merchantId: bigint): void {
    const line = this.#lines.get(merchantId);
    const [begin] = line ?? [];
    if (!line || !begin) {
      this.#lines.delete(merchantId);
      return;
    }
    line.delete(begin);
    begin();
  }
}

function busy(): Refusal {
  return new Refusal('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
}
