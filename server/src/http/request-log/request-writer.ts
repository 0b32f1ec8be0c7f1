import type { Database, Tx } from '#db/database.ts';
import { databaseFault, isDatabaseAway } from '#db/pool.ts';
import { addBlocks, type CallBlock } from './blocks/blocks.sql.ts';
import {
  type BufferedCounts,
  counted,
  isUnowned,
  keyHourOf,
  lostBlock,
  lostCall,
  type MaybeOwned,
} from './call-counts.ts';
import {
  addCalls,
  type CallFacts,
  findKeyOwners,
  hourOf,
  type KeyHour,
  type LoggedCall,
  makeRequestDay,
} from './request-log.sql.ts';

/** A call whose merchant may still have to be looked up by the key that it names. */
export type BufferedCall = Omit<LoggedCall, 'merchantId'> & { merchantId: bigint | undefined };

/** The facts about a call whose merchant may still have to be looked up. */
export type BufferedFacts = Omit<CallFacts, 'merchantId'> & MaybeOwned;

/** The part of the database that the log needs. */
export type WritableDatabase = Pick<Database, 'asSystem' | 'placement'>;

/** Calls, counts and blocks, of any placement. */
export interface Batch {
  calls: BufferedCall[];
  counts: BufferedCounts[];
  blocks: CallBlock[];
}

/** The result of writing a batch: the counts as they are now, the rest, which waits for the database, and the errors of what was refused. */
export interface Written {
  totals: RefusedTotal[];
  left: Batch;
  faults: unknown[];
}

/** The refused calls of a key in an hour, over all processes. */
export type RefusedTotal = Awaited<ReturnType<typeof addCalls>>[number];

/** A placement; undefined for the directory of keys, in which merchants are looked up. */
type Place = string | undefined;

/** The places whose database is away, with the error. Nothing more is tried there: each attempt would wait for a connection. */
export type Outages = Map<Place, unknown>;

/** A batch while it is written. */
interface Progress {
  away: Outages;
  /** Entries that wait for the database. */
  left: Set<unknown>;
  totals: RefusedTotal[];
  faults: unknown[];
}

/** Calls, counts and blocks of one placement, with their merchants. */
interface OwnedBatch {
  calls: readonly LoggedCall[];
  counts: readonly KeyHour[];
  blocks: readonly CallBlock[];
}

/** Blocks of one statement. */
const blocksOfStatement = 100;
/** Entries of a batch that are refused by themselves, after which the rest of it is lost. */
const maxFaults = 8;

/** SQLSTATE of a row for which there is no partition, among others. */
const checkViolation = '23514';
const relaxed = { relaxed: true, oneStatement: true };

/** Writes calls to the log, per placement. Nothing that is wrong with one call keeps the others out. */
export class RequestWriter {
  readonly #database: WritableDatabase;

  constructor(database: WritableDatabase) {
    this.#database = database;
  }

  /**
   * Writes a batch, except at places that are away, to which it adds those that turn out to be. Counts calls that are refused as lost.
   * Returns the rest in its old order. Does not reject if a statement fails.
   */
  async write(batch: Batch, away: Outages): Promise<Written> {
    const progress: Progress = { away, left: new Set(), totals: [], faults: [] };
    const { calls, counts, blocks } = await this.#withOwners(batch, progress);
    const { placement } = this.#database;
    const placeOf = ({ merchantId }: MaybeOwned) =>
      merchantId === undefined ? undefined : placement(merchantId);
    for (const place of new Set([...calls, ...counts, ...blocks].map(placeOf))) {
      if (place === undefined) continue;
      const isHere = <T extends MaybeOwned>(one: T): one is T & { merchantId: bigint } =>
        placeOf(one) === place;
      const here = {
        calls: calls.filter(isHere),
        counts: counts.filter(isHere),
        blocks: blocks.filter(isHere),
      };
      counts.push(...(await this.#writeAt(place, here, progress)));
    }
    const { left, totals, faults } = progress;
    const isLeft = (one: unknown) => left.has(one);
    return {
      totals,
      faults,
      left: { calls: calls.filter(isLeft), counts: counts.filter(isLeft), blocks: blocks.filter(isLeft) },
    };
  }

  /** Writes the part of a placement: blocks last, because their table may be locked. Returns the counts of calls that were refused. */
  async #writeAt(
    place: string,
    { calls, counts, blocks }: OwnedBatch,
    progress: Progress,
  ): Promise<KeyHour[]> {
    const addRows = (some: readonly LoggedCall[]) => this.#addRows(some, [], progress);
    const refusedCalls = await this.#writeParts(place, calls, addRows, progress);
    const lostCalls = counted([], refusedCalls.map(lostCall));
    await this.#writeCounts(place, [...counts, ...lostCalls], progress);
    const lostBlocks: KeyHour[] = [];
    for (let first = 0; first < blocks.length; first += blocksOfStatement) {
      const part = blocks.slice(first, first + blocksOfStatement);
      const refused = await this.#writeParts(place, part, (some) => this.#addBlocks(some), progress);
      lostBlocks.push(...refused.map(lostBlock));
    }
    await this.#writeCounts(place, lostBlocks, progress);
    return [...lostCalls, ...lostBlocks];
  }

  /**
   * Writes entries with one statement; if it is refused, each half of them. Returns those that are refused by themselves; after some of them,
   * nothing more is tried, because something is wrong with more than single entries.
   */
  async #writeParts<T>(
    place: string,
    entries: readonly T[],
    add: (entries: readonly T[]) => Promise<void>,
    progress: Progress,
  ): Promise<readonly T[]> {
    const faults: unknown[] = [];
    const writePart = async (part: readonly T[]): Promise<readonly T[]> => {
      if (faults.length >= maxFaults) return part;
      const refusal = await this.#try(place, part, () => add(part), progress);
      if (!refusal) return [];
      if (part.length === 1) {
        faults.push(refusal.error);
        return part;
      }
      const half = Math.ceil(part.length / 2);
      return [...(await writePart(part.slice(0, half))), ...(await writePart(part.slice(half)))];
    };
    const refused = await writePart(entries);
    progress.faults.push(...faults);
    return refused;
  }

  /** Writes counts. Drops those that are refused by themselves: kept, they would be refused each time, with all that are added to them. */
  async #writeCounts(place: string, counts: readonly KeyHour[], progress: Progress): Promise<void> {
    await this.#writeParts(place, counts, (some) => this.#addRows([], some, progress), progress);
  }

  /** Runs a statement about some entries. If its database is away, they are left. Returns the error of a statement that is refused. */
  async #try(
    place: Place,
    entries: readonly unknown[],
    statement: () => Promise<void>,
    { away, left }: Progress,
  ): Promise<{ error: unknown } | undefined> {
    if (entries.length === 0) return undefined;
    try {
      if (!away.has(place)) {
        await statement();
        return undefined;
      }
    } catch (error) {
      if (!isDatabaseAway(error)) return { error };
      away.set(place, error);
    }
    for (const entry of entries) left.add(entry);
    return undefined;
  }

  async #addRows(
    calls: readonly LoggedCall[],
    counts: readonly KeyHour[],
    { totals }: Progress,
  ): Promise<void> {
    const all = counted(calls, counts);
    const days = calls.map(({ at }) => at);
    totals.push(...(await this.#withDays(days, (tx) => addCalls(tx, placed(calls), all))));
  }

  #addBlocks(blocks: readonly CallBlock[]): Promise<void> {
    const days = blocks.map(({ lastAt }) => lastAt);
    return this.#withDays(days, (tx) => addBlocks(tx, blocks));
  }

  /** Adds rows of some instants, and makes the partitions of their days if the job that makes them ahead has not run. */
  async #withDays<T>(instants: readonly Date[], work: (tx: Tx) => Promise<T>): Promise<T> {
    const add = () => this.#database.asSystem(work, relaxed);
    try {
      return await add();
    } catch (error) {
      if (databaseFault(error)?.state !== checkViolation) throw error;
      const days = new Map(instants.map((at) => [at.toISOString().slice(0, 10), at]));
      for (const at of days.values()) await this.#database.asSystem((tx) => makeRequestDay(tx, at));
      return add();
    }
  }

  /**
   * Looks up the merchants of calls that were refused before their key was read. Calls of unknown keys remain without one and are not
   * written. If the lookup is refused, all of them are lost, and their counts are left for another one.
   */
  async #withOwners({ calls, counts, blocks }: Batch, progress: Progress): Promise<Batch> {
    const unowned = [...calls, ...counts].filter(isUnowned);
    const keyIds = [...new Set(unowned.map(({ keyId }) => keyId))];
    let owners = new Map<string, bigint>();
    const lookUp = async () => {
      owners = await this.#database.asSystem((tx) => findKeyOwners(tx, keyIds), relaxed);
    };
    const refusal = await this.#try(undefined, unowned, lookUp, progress);
    if (refusal) {
      progress.faults.push(refusal.error);
      const lost = [...counts.filter(isUnowned), ...calls.filter(isUnowned).map(lostCall)];
      for (const count of lost) progress.left.add(count);
      const isOwned = (one: MaybeOwned) => !isUnowned(one);
      return { calls: calls.filter(isOwned), counts: [...counts.filter(isOwned), ...lost], blocks };
    }
    const owned = <T extends Pick<BufferedCall, 'merchantId' | 'keyId'>>(one: T): T => {
      const merchantId = one.merchantId ?? owners.get(one.keyId);
      return merchantId === one.merchantId ? one : { ...one, merchantId };
    };
    return { calls: calls.map(owned), counts: counts.map(owned), blocks };
  }
}

/** Numbers the refused calls of each key, hour and kind. */
function placed(calls: readonly LoggedCall[]) {
  const places = new Map<string, number>();
  return calls.map((call) => {
    if (!call.isRefused) return { ...call, place: undefined };
    const key = `${keyHourOf(call.keyId, hourOf(call.at))} ${call.isVerified}`;
    const place = (places.get(key) ?? 0) + 1;
    places.set(key, place);
    return { ...call, place };
  });
}
