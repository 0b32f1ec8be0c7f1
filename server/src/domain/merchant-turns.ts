/**
 * Runs work of one merchant at a time, in the order of the calls, within this process. For work that a lock of the database would order
 * anyway: here it waits without a connection, so that many calls of one merchant leave the pool to the others.
 */
export class MerchantTurns {
  readonly #last = new Map<bigint, Promise<unknown>>();

  async run<T>(merchantId: bigint, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(merchantId);
    const turn = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#last.set(merchantId, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(merchantId) === turn) this.#last.delete(merchantId);
    }
  }
}
