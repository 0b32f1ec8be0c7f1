import { setTimeout } from 'node:timers/promises';
import { confirmEarlierCommits, type Database } from '#db/database.ts';
import {
  insertRoot,
  listWriters,
  readFirstId,
  readLastId,
  readLastRoot,
  readNextId,
  readRoot,
  sumRows,
} from './audit-seal.sql.ts';
import { proveRoot } from './last-root.ts';
import type { Outside } from './outside.ts';
import { hashOf, type Root, SealError } from './root.rules.ts';
import { numberAfter, standingOf } from './standing.rules.ts';

/** The most IDs with rows that one root covers, so that no transaction takes long. */
const maxIds = 20_000n;
const pollMs = 50;
/** How long a run waits for transactions to end; the next run seals their rows. */
const maxWaitMs = 5000;
/** How long a run makes roots; the next run makes the rest. */
const maxRunMs = 20_000;

/** The outcome of one run. */
export interface Sealing {
  /** How many roots were made. */
  roots: number;
  /** Whether every row that was committed before the run is sealed. */
  isComplete: boolean;
}

/** Seals the audit rows that were written since the last root. No writer waits for it. */
export class Sealer {
  readonly #database: Database;
  readonly #outside: Outside;
  readonly #now: () => Date;

  /** @param now This process's clock. */
  constructor(database: Database, outside: Outside, now: () => Date = () => new Date()) {
    this.#database = database;
    this.#outside = outside;
    this.#now = now;
  }

  /**
   * Seals the rows that were committed before the call. Throws {@link SealError} if the roots in the database do not fit those
   * outside, or the sequence of the rows' IDs was reset.
   */
  async seal(): Promise<Sealing> {
    const settledId = await this.#settledId();
    if (settledId === undefined) return { roots: 0, isComplete: false };
    const until = Date.now() + maxRunMs;
    for (let roots = 0; ; ) {
      const step = await this.#sealUpTo(settledId);
      if (step === 'nothingLeft') return { roots, isComplete: true };
      if (step === 'sealed') roots++;
      if (step === 'gaveUp' || Date.now() > until) return { roots, isComplete: false };
    }
  }

  /**
   * Returns an ID up to which every row is committed, or will never be. Each transaction that had taken such an ID was writing
   * when the ID was read, and has ended since. Returns undefined if one of them does not end in time.
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

  /** Makes the next root: first in the database, then its copy outside. */
  async #sealUpTo(settledId: bigint): Promise<'sealed' | 'nothingLeft' | 'gaveUp'> {
    const { last, lastId } = await this.#database.asSystem(async (tx) => {
      const last = await readLastRoot(tx);
      return { last, lastId: await readLastId(tx) };
    });
    if (last && lastId < last.toId)
      throw new SealError(
        `Root ${last.number} of the audit trail covers IDs up to ${last.toId}, but their sequence is at ${lastId}: it was reset or replaced.`,
      );
    const number = await this.#nextNumber(last);
    const fromId = last ? last.toId : await this.#database.asSystem(readFirstId);
    if (fromId >= settledId) return 'nothingLeft';
    const root = await this.#makeRoot({ last, number, fromId, settledId });
    if (!root) return 'gaveUp';
    await this.#outside.keep(root);
    return 'sealed';
  }

  /** Returns undefined, and makes no root, if another server has taken over that lacks the end of the rows. */
  #makeRoot(range: {
    last: Root | undefined;
    number: bigint;
    fromId: bigint;
    settledId: bigint;
  }): Promise<Root | undefined> {
    const { last, number, fromId, settledId } = range;
    return this.#database.asSystem(async (tx) => {
      let toId = fromId + maxIds < settledId ? fromId + maxIds : settledId;
      const seals = await sumRows(tx, { fromId, toId });
      if (seals.length === 0) {
        // Nobody should be able to stop the sealing for long by setting the sequence far ahead.
        const nextId = await readNextId(tx, toId);
        toId = nextId === undefined || nextId > settledId ? settledId : nextId - 1n;
      }
      const content = { number, fromId, toId, sealedAt: this.#now() };
      const sha256 = hashOf({ ...content, previous: last }, seals);
      const previousNumber = last?.number ?? null;
      const root = { ...content, previousNumber, sha256, mac: this.#outside.macOf(sha256) };
      // A server that lacks the end would give these IDs to other rows.
      if ((await readLastId(tx)) < toId) return undefined;
      // If another process has made this root in the meantime, the number is taken, and this fails.
      await insertRoot(tx, root, seals);
      return root;
    });
  }

  /** Compares the last root with the newest one outside, and returns the number of the next root. */
  async #nextNumber(last: Root | undefined): Promise<bigint> {
    const newest = await this.#outside.newest();
    const known = newest && (await this.#database.asSystem((tx) => readRoot(tx, newest.number)));
    const isKnown = known?.sha256.toString('hex') === newest?.sha256;
    const losses = isKnown ? [] : (await this.#outside.losses()).found;
    const standing = standingOf({ last, newest, known, losses });
    const lastNumber = last?.number ?? 0n;
    if (standing.state === 'accepted') return numberAfter(standing.loss);
    if (standing.state === 'ahead')
      throw new SealError(
        `The database ends at root ${lastNumber} of the audit trail, and root ${newest?.number} is known outside it. If it was ` +
          'restored to an earlier moment, say so with “audit accept”.',
      );
    if (standing.state === 'differs')
      throw new SealError(
        `Root ${newest?.number} of the audit trail differs from its copy outside the database. If the database has failed over, ` +
          'or a restored copy of it has used the same place, say so with “audit accept”.',
      );
    if (standing.state === 'behind' && last) await this.#keepAgain(last);
    return lastNumber + 1n;
  }

  /** Keeps a root that another run has made. Its commit may not have reached the synchronous standby yet. */
  async #keepAgain(last: Root): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      await proveRoot(tx, last, this.#outside);
      await confirmEarlierCommits(tx);
    });
    await this.#outside.keep(last);
  }
}
