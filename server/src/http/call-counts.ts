import type { Database } from '#db/database.ts';
import { addCallCounts, type CallCount } from './call-counts.sql.ts';

const flushMs = 2000;
const maxBuffered = 5000;

/**
 * Counts signed calls by merchant and address. Counts are buffered in memory, since updating a row with every
 * call would make it a hot spot; a crash loses two seconds of statistics.
 */
export class CallCounts {
  readonly #database: Database;
  readonly #counts = new Map<string, CallCount>();
  readonly #timer: NodeJS.Timeout;

  constructor(database: Database) {
    this.#database = database;
    this.#timer = setInterval(() => void this.flush(), flushMs).unref();
  }

  note(merchantId: bigint, address: string): void {
    const key = `${merchantId} ${address}`;
    const count = this.#counts.get(key);
    if (count) count.calls++;
    else if (this.#counts.size < maxBuffered) this.#counts.set(key, { merchantId, address, calls: 1 });
  }

  /** Writes the buffered counts, per placement; keeps them for the next flush if the database is down. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const { placement } = this.#database;
    const byPlacement = Map.groupBy(this.#counts.values(), ({ merchantId }) => placement(merchantId));
    this.#counts.clear();
    await Promise.all(Array.from(byPlacement.values(), (counts) => this.#write(counts)));
  }

  async #write(counts: readonly CallCount[]): Promise<void> {
    const options = { relaxed: true, oneStatement: true };
    await this.#database
      .asSystem((tx) => addCallCounts(tx, counts), options)
      .catch(() => {
        for (const { merchantId, address, calls } of counts)
          for (let call = 0; call < calls; call++) this.note(merchantId, address);
      });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
