import type { Database } from '#db/database.ts';
import { addCallCounts, type CallCount } from './call-counts.sql.ts';

const flushMs = 2000;
const mostKept = 5000;

/**
 * Counts signed calls by merchant and address, in memory first: a row for each call would be the hottest of all. What is
 * lost in a crash is two seconds of a statistic.
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
    const known = this.#counts.get(key);
    if (known) known.calls++;
    else if (this.#counts.size < mostKept) this.#counts.set(key, { merchantId, address, calls: 1 });
  }

  /** Writes what was counted; with the database away it is kept for the next time. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    const alone = { relaxed: true, oneStatement: true };
    await this.#database
      .asSystem((tx) => addCallCounts(tx, counts), alone)
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
