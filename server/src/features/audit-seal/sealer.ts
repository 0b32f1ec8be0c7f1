import { setTimeout } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import {
  insertRoot,
  listWriters,
  readClock,
  readFirstId,
  readLastId,
  readLastRoot,
  readRoot,
  sumRows,
} from './audit-seal.sql.ts';
import type { Outside } from './outside.ts';
import { hashOf, isKeptBy, type OutsideRoot, type Root } from './root.rules.ts';

/** The most IDs that one root covers, so that no transaction takes long. */
const maxIds = 20_000n;
const pollMs = 50;
/** A transaction that takes longer delays the seal until the next run. */
const maxWaitMs = 5000;
/** After this, the next run goes on. */
const maxRunMs = 20_000;

/** Roots in the database and outside do not fit together: nothing is sealed before a person has looked at it. */
export class SealError extends Error {}

/** Seals the audit rows that were written since the last root. No writer waits for it. */
export class Sealer {
  readonly #database: Database;
  readonly #outside: Outside;

  constructor(database: Database, outside: Outside) {
    this.#database = database;
    this.#outside = outside;
  }

  /**
   * Seals what was committed before the call. Returns the number of roots made. Throws {@link SealError} if the place outside knows
   * other roots than the database.
   */
  async seal(): Promise<number> {
    const settledId = await this.#settledId();
    const until = Date.now() + maxRunMs;
    let roots = 0;
    while (settledId !== undefined && Date.now() < until && (await this.#sealUpTo(settledId))) roots++;
    return roots;
  }

  /**
   * Returns an ID up to which all rows are committed, or never will be: whatever transaction took one of these IDs was writing
   * when the ID was read, and has ended since. Undefined if one does not end.
   */
  async #settledId(): Promise<bigint | undefined> {
    const settledId = await this.#database.asSystem(readLastId);
    let writers = new Set(await this.#database.asSystem(listWriters));
    for (let waitedMs = 0; writers.size > 0; waitedMs += pollMs) {
      if (waitedMs >= maxWaitMs) return undefined;
      await setTimeout(pollMs);
      const writing = await this.#database.asSystem(listWriters);
      writers = new Set(writing.filter((writer) => writers.has(writer)));
    }
    return settledId;
  }

  /** Makes the next root, in the database first. Returns whether there was anything to seal. */
  async #sealUpTo(settledId: bigint): Promise<boolean> {
    const [last, sealedAt] = await this.#database.asSystem(
      async (tx) => [await readLastRoot(tx), await readClock(tx)] as const,
    );
    const newest = await this.#outside.newest(sealedAt);
    const number = await this.#nextNumber(last, newest);
    const fromId = last ? last.toId : await this.#database.asSystem(readFirstId);
    if (fromId >= settledId) return false;
    const toId = fromId + maxIds < settledId ? fromId + maxIds : settledId;
    const root = await this.#database.asSystem(async (tx) => {
      const seals = await sumRows(tx, { fromId, toId });
      const content = { number, fromId, toId, sealedAt };
      const sha256 = hashOf({ ...content, previous: last }, seals);
      const made = {
        ...content,
        previousNumber: last?.number ?? null,
        sha256,
        mac: this.#outside.macOf(sha256),
      };
      // If another process has made this root meanwhile, its number is taken.
      await insertRoot(tx, made, seals);
      return made;
    });
    await this.#outside.keep(root);
    return true;
  }

  /** Compares the last root with the newest one outside, and returns the number of the next one. */
  async #nextNumber(last: Root | undefined, newest: OutsideRoot | undefined): Promise<bigint> {
    const lastNumber = last?.number ?? 0n;
    if (newest && newest.number > lastNumber) {
      const isAccepted = (await this.#outside.losses()).some(
        (loss) => BigInt(loss.lost) === newest.number && isKeptBy(loss, last),
      );
      if (isAccepted) return newest.number + 1n;
      throw new SealError(
        `The database ends at root ${lastNumber} of the audit trail, and root ${newest.number} is known outside it. If it was ` +
          'restored to an earlier moment, say so with “audit accept”.',
      );
    }
    if (!last) return 1n;
    const known = newest && (await this.#database.asSystem((tx) => readRoot(tx, newest.number)));
    if (newest && known?.sha256.toString('hex') !== newest.sha256)
      throw new SealError(
        `Root ${newest.number} of the audit trail differs from its copy outside the database.`,
      );
    if (newest?.number !== lastNumber) {
      // A process ended between the two, or the place is a new one.
      if (!this.#outside.isOurs(last))
        throw new SealError(`Root ${lastNumber} of the audit trail was not made with this APP_KEY.`);
      await this.#outside.keep(last);
    }
    return lastNumber + 1n;
  }
}
