import type { Database, Tx } from '#db/database.ts';
import { databaseFault, isDatabaseAway } from '#db/pool.ts';
import { addBlocks, type CallBlock } from './blocks/blocks.sql.ts';
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
export type BufferedFacts = Omit<CallFacts, 'merchantId'> & Pick<BufferedCall, 'merchantId'>;

/** Counts of a key in an hour, whose merchant may still have to be looked up. */
export type BufferedCounts = Omit<KeyHour, 'merchantId'> & Pick<BufferedCall, 'merchantId'>;

/** The part of the database that the log needs. */
export type WritableDatabase = Pick<Database, 'asSystem' | 'placement'>;

/** Calls, counts and blocks, of any placement. */
export interface Batch {
  calls: BufferedCall[];
  counts: BufferedCounts[];
  blocks: CallBlock[];
}

/** A batch with nothing in it. */
export const emptyBatch = (): Batch => ({ calls: [], counts: [], blocks: [] });

/** A batch of one placement, with the merchants of all calls. */
interface OwnedBatch {
  calls: readonly LoggedCall[];
  counts: readonly KeyHour[];
  blocks: readonly CallBlock[];
}

/** The refused calls of a key in an hour, over all processes. */
export type RefusedTotal = Awaited<ReturnType<typeof addCalls>>[number];

/** The result of writing a batch: the counts as they are now, the rest, which waits for the database, and the errors of refused blocks. */
export interface Written {
  totals: RefusedTotal[];
  left: Batch;
  faults: unknown[];
}

/** A placement while a batch is written. Once its database is away, nothing more is tried: each attempt would wait for a connection. */
interface Place {
  isAway: boolean;
}

/** Blocks of one statement. */
const blocksOfStatement = 100;

/** SQLSTATE of a row for which there is no partition, among others. */
const checkViolation = '23514';
const relaxed = { relaxed: true, oneStatement: true };

/** Returns the text under which an hour of a key is counted. */
export const keyHourOf = (keyId: string, hour: Date) => `${keyId} ${hour.getTime()}`;

/** Writes calls to the log, per placement. Nothing that is wrong with one call keeps the others out. */
export class RequestWriter {
  readonly #database: WritableDatabase;

  constructor(database: WritableDatabase) {
    this.#database = database;
  }

  async write(batch: Batch): Promise<Written> {
    const written: Written = { totals: [], left: emptyBatch(), faults: [] };
    const owned = await this.#withOwners(batch).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
    });
    if (!owned) return { ...written, left: batch };
    const { calls, counts, blocks } = { ...owned, blocks: batch.blocks };
    const { placement } = this.#database;
    const placements = new Set(
      [...calls, ...counts, ...blocks].map(({ merchantId }) => placement(merchantId)),
    );
    for (const place of placements) {
      const isHere = ({ merchantId }: { merchantId: bigint }) => placement(merchantId) === place;
      const here = {
        calls: calls.filter(isHere),
        counts: counts.filter(isHere),
        blocks: blocks.filter(isHere),
      };
      await this.#writeAt(here, written);
    }
    return written;
  }

  async #writeAt({ calls, counts, blocks }: OwnedBatch, written: Written): Promise<void> {
    const place: Place = { isAway: false };
    const lost = await this.#writeBlocks(blocks, place, written);
    await this.#writeCalls(calls, [...counts, ...lost], place, written);
  }

  /** Writes blocks. Returns the counts of those that cannot be written, because something is wrong with them. */
  async #writeBlocks(blocks: readonly CallBlock[], place: Place, written: Written): Promise<KeyHour[]> {
    const lost: KeyHour[] = [];
    for (let first = 0; first < blocks.length; first += blocksOfStatement)
      lost.push(...(await this.#writeSlice(blocks.slice(first, first + blocksOfStatement), place, written)));
    return lost;
  }

  /** Writes blocks with one statement; if it is refused, each half of them. */
  async #writeSlice(blocks: readonly CallBlock[], place: Place, written: Written): Promise<KeyHour[]> {
    try {
      if (!place.isAway) {
        await this.#withDays(
          blocks.map(({ lastAt }) => lastAt),
          (tx) => addBlocks(tx, blocks),
        );
        return [];
      }
    } catch (error) {
      if (!isDatabaseAway(error)) return this.#writeHalves(blocks, error, place, written);
      place.isAway = true;
    }
    written.left.blocks.push(...blocks);
    return [];
  }

  async #writeHalves(
    blocks: readonly CallBlock[],
    error: unknown,
    place: Place,
    written: Written,
  ): Promise<KeyHour[]> {
    const [first] = blocks;
    if (first && blocks.length === 1) {
      written.faults.push(error);
      return [lostBlock(first)];
    }
    const half = Math.ceil(blocks.length / 2);
    return [
      ...(await this.#writeSlice(blocks.slice(0, half), place, written)),
      ...(await this.#writeSlice(blocks.slice(half), place, written)),
    ];
  }

  async #writeCalls(
    calls: readonly LoggedCall[],
    counts: readonly KeyHour[],
    place: Place,
    written: Written,
  ): Promise<void> {
    if (calls.length === 0 && counts.length === 0) return;
    if (place.isAway) {
      written.left.calls.push(...calls);
      written.left.counts.push(...counts);
      return;
    }
    try {
      written.totals.push(...(await this.#addWithDays(calls, counts)));
    } catch (error) {
      if (isDatabaseAway(error)) {
        written.left.calls.push(...calls);
        written.left.counts.push(...counts);
      } else await this.#writeEach(calls, counts, written);
    }
  }

  /** Writes calls one by one, after a batch was refused because of one of them, which is then counted as lost. */
  async #writeEach(
    calls: readonly LoggedCall[],
    counts: readonly KeyHour[],
    written: Written,
  ): Promise<void> {
    const lost: KeyHour[] = [];
    for (const call of calls)
      await this.#addWithDays([call], []).catch(() => {
        const { merchantId, keyId, at } = call;
        lost.push({ merchantId, keyId, hour: hourOf(at), refused: 0, unverified: 0, lost: 1 });
      });
    await this.#addWithDays([], [...counts, ...lost]).catch(() => {
      written.left.counts.push(...counts, ...lost);
    });
  }

  #addWithDays(calls: readonly LoggedCall[], counts: readonly KeyHour[]): Promise<RefusedTotal[]> {
    const all = counted(calls, counts);
    return this.#withDays(
      calls.map(({ at }) => at),
      (tx) => addCalls(tx, placed(calls), all),
    );
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

  /** Looks up the merchants of calls that were refused before their key was read. Those of unknown keys are left out. */
  async #withOwners({ calls, counts }: Batch): Promise<Pick<OwnedBatch, 'calls' | 'counts'>> {
    const keyIds = new Set(
      [...calls, ...counts].filter(({ merchantId }) => merchantId === undefined).map(({ keyId }) => keyId),
    );
    const owners =
      keyIds.size === 0
        ? new Map<string, bigint>()
        : await this.#database.asSystem((tx) => findKeyOwners(tx, [...keyIds]), relaxed);
    const owned = <T extends Pick<BufferedCall, 'merchantId' | 'keyId'>>(all: readonly T[]) =>
      all.flatMap((one) => {
        const merchantId = one.merchantId ?? owners.get(one.keyId);
        return merchantId === undefined ? [] : [{ ...one, merchantId }];
      });
    return { calls: owned(calls), counts: owned(counts) };
  }
}

/** Returns the count of a block whose calls are lost. */
export const lostBlock = ({ merchantId, keyId, lastAt, calls }: CallBlock): KeyHour => ({
  merchantId,
  keyId,
  hour: hourOf(lastAt),
  refused: 0,
  unverified: 0,
  lost: calls,
});

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

/** Adds the refused calls of a batch to its counts. */
function counted(calls: readonly LoggedCall[], counts: readonly KeyHour[]): KeyHour[] {
  const all = new Map<string, KeyHour>();
  const refused = calls
    .filter(({ isRefused }) => isRefused)
    .map(({ merchantId, keyId, at, isVerified }) => ({
      merchantId,
      keyId,
      hour: hourOf(at),
      lost: 0,
      refused: isVerified ? 1 : 0,
      unverified: isVerified ? 0 : 1,
    }));
  for (const one of [...counts, ...refused]) {
    const key = keyHourOf(one.keyId, one.hour);
    all.set(key, sumOf(all.get(key), one));
  }
  return [...all.values()];
}

/** Adds up counts of one key and hour. */
export function sumOf<T extends BufferedCounts>(sum: T | undefined, more: T): T {
  if (!sum) return more;
  return {
    ...more,
    merchantId: more.merchantId ?? sum.merchantId,
    refused: sum.refused + more.refused,
    unverified: sum.unverified + more.unverified,
    lost: sum.lost + more.lost,
  };
}
