import type { Database } from '#db/database.ts';
import { databaseFault, isDatabaseAway } from '#db/pool.ts';
import {
  addCalls,
  findInactiveKeys,
  findKeyOwners,
  hourOf,
  type KeyHour,
  type LoggedCall,
  makeRequestDay,
} from './request-log.sql.ts';

/** A call whose merchant may still have to be looked up by the key that it names. */
export type BufferedCall = Omit<LoggedCall, 'merchantId'> & { merchantId: bigint | undefined };

/** The part of the database that the log needs. */
export type WritableDatabase = Pick<Database, 'asSystem' | 'placement'>;

/** Calls and counts, of any placement. */
export interface Batch {
  calls: BufferedCall[];
  counts: KeyHour[];
}

/** The refused calls of a key in an hour, over all processes. */
export type RefusedTotal = Awaited<ReturnType<typeof addCalls>>[number];

/** The result of writing a batch: the counts as they are now, and the rest, which has to wait for the database. */
export interface Written {
  totals: RefusedTotal[];
  left: Batch;
}

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
    const written: Written = { totals: [], left: { calls: [], counts: [] } };
    const calls = await this.#withOwners(batch.calls).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
    });
    if (!calls) return { ...written, left: batch };
    const { placement } = this.#database;
    const placements = new Set([...calls, ...batch.counts].map(({ merchantId }) => placement(merchantId)));
    for (const place of placements) {
      const isHere = ({ merchantId }: { merchantId: bigint }) => placement(merchantId) === place;
      await this.#writeAt(calls.filter(isHere), batch.counts.filter(isHere), written);
    }
    return written;
  }

  async #writeAt(calls: readonly LoggedCall[], counts: readonly KeyHour[], written: Written): Promise<void> {
    try {
      written.totals.push(...(await this.#addWithDays(await this.#withKeyStates(calls), counts)));
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
        lost.push({ merchantId, keyId, hour: hourOf(at), refused: 0, lost: 1 });
      });
    await this.#addWithDays([], [...counts, ...lost]).catch(() => {
      written.left.counts.push(...counts, ...lost);
    });
  }

  /** Adds calls, and makes the partitions of their days if the job that makes them ahead has not run. */
  async #addWithDays(calls: readonly LoggedCall[], counts: readonly KeyHour[]): Promise<RefusedTotal[]> {
    const all = counted(calls, counts);
    const add = () => this.#database.asSystem((tx) => addCalls(tx, placed(calls), all), relaxed);
    try {
      return await add();
    } catch (error) {
      if (databaseFault(error)?.state !== checkViolation) throw error;
      const days = new Map(calls.map(({ at }) => [at.toISOString().slice(0, 10), at]));
      for (const at of days.values()) await this.#database.asSystem((tx) => makeRequestDay(tx, at));
      return add();
    }
  }

  /** Looks up the merchants of calls that were refused before their key was read. Calls of unknown keys are left out. */
  async #withOwners(calls: readonly BufferedCall[]): Promise<LoggedCall[]> {
    const keyIds = new Set(
      calls.filter(({ merchantId }) => merchantId === undefined).map(({ keyId }) => keyId),
    );
    const owners =
      keyIds.size === 0
        ? new Map<string, bigint>()
        : await this.#database.asSystem((tx) => findKeyOwners(tx, [...keyIds]), relaxed);
    return calls.flatMap((call) => {
      const merchantId = call.merchantId ?? owners.get(call.keyId);
      return merchantId === undefined ? [] : [{ ...call, merchantId }];
    });
  }

  /** Explains wrong signatures of keys that are not active. */
  async #withKeyStates(calls: readonly LoggedCall[]): Promise<LoggedCall[]> {
    const unexplained = calls.filter(({ code, reason }) => code === 'signature_invalid' && !reason);
    if (unexplained.length === 0) return [...calls];
    const states = await this.#database.asSystem((tx) => findInactiveKeys(tx, unexplained), relaxed);
    return calls.map((call) => {
      const state = unexplained.includes(call) ? states.get(call.keyId) : undefined;
      return state ? { ...call, reason: { kind: 'key', state } } : call;
    });
  }
}

const isRefused = ({ status }: LoggedCall) => status >= 400 && status < 500;

/** Numbers the refused calls of each key and hour. */
function placed(calls: readonly LoggedCall[]) {
  const places = new Map<string, number>();
  return calls.map((call) => {
    if (!isRefused(call)) return { ...call, place: undefined };
    const key = keyHourOf(call.keyId, hourOf(call.at));
    const place = (places.get(key) ?? 0) + 1;
    places.set(key, place);
    return { ...call, place };
  });
}

/** Adds the refused calls of a batch to its counts. */
function counted(calls: readonly LoggedCall[], counts: readonly KeyHour[]): KeyHour[] {
  const all = new Map<string, KeyHour>();
  const refused = calls
    .filter(isRefused)
    .map(({ merchantId, keyId, at }) => ({ merchantId, keyId, hour: hourOf(at), refused: 1, lost: 0 }));
  for (const one of [...counts, ...refused]) {
    const key = keyHourOf(one.keyId, one.hour);
    const sum = all.get(key);
    all.set(key, sum ? { ...sum, refused: sum.refused + one.refused, lost: sum.lost + one.lost } : one);
  }
  return [...all.values()];
}
