import type { Database } from '#db/database.ts';
import { type KeyUse, writeKeyUses } from './key-uses.sql.ts';

const flushMs = 2000;
/** A key that is used all the time is written once in this time. */
const restMs = 60_000;
const maxBuffered = 5000;

/**
 * Records when each access key was last used. Uses are buffered in memory and written off the path of the calls, at most once a minute
 * per key and process; a crash loses the last minute.
 */
export class KeyUses {
  readonly #database: Database;
  readonly #restMs: number;
  readonly #uses = new Map<string, KeyUse>();
  /** When each key was last written. Holds those of the last minute. */
  readonly #writtenAt = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(database: Database, rest = restMs) {
    this.#database = database;
    this.#restMs = rest;
    this.#timer = setInterval(() => void this.flush(), flushMs).unref();
  }

  note(use: KeyUse): void {
    if (this.#uses.size < maxBuffered || this.#uses.has(use.keyId)) this.#uses.set(use.keyId, use);
  }

  /** Writes the uses of keys that were not written within the last minute, per placement; keeps them if the database is down. */
  flush(): Promise<void> {
    const now = Date.now();
    for (const [keyId, at] of this.#writtenAt) if (now - at >= this.#restMs) this.#writtenAt.delete(keyId);
    return this.#write([...this.#uses.values()].filter(({ keyId }) => !this.#writtenAt.has(keyId)));
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#write([...this.#uses.values()]);
  }

  async #write(uses: readonly KeyUse[]): Promise<void> {
    for (const { keyId } of uses) this.#uses.delete(keyId);
    const { placement } = this.#database;
    const byPlacement = Map.groupBy(uses, ({ merchantId }) => placement(merchantId));
    await Promise.all(Array.from(byPlacement.values(), (group) => this.#writeGroup(group)));
  }

  async #writeGroup(uses: readonly KeyUse[]): Promise<void> {
    const now = Date.now();
    for (const { keyId } of uses) this.#writtenAt.set(keyId, now);
    const options = { relaxed: true, oneStatement: true };
    await this.#database
      .asSystem((tx) => writeKeyUses(tx, uses), options)
      .catch(() => {
        for (const use of uses) {
          this.#writtenAt.delete(use.keyId);
          if (!this.#uses.has(use.keyId)) this.note(use);
        }
      });
  }
}
