import { refusedPerHour } from '@hengfu/contract/request-log';
import { hourOf, type KeyHour } from './request-log.sql.ts';
import {
  type Batch,
  type BufferedCall,
  keyHourOf,
  type RefusedTotal,
  RequestWriter,
  type WritableDatabase,
} from './request-writer.ts';

/** The facts about a call that decide whether its entry is built. */
export type CallFacts = Pick<BufferedCall, 'merchantId' | 'keyId' | 'at'> & { isRefused: boolean };

/** Sizes of the buffer. */
export interface BufferLimits {
  /** Calls in memory; beyond them, calls are counted only. */
  calls: number;
  /** Of these, calls that name a key which was not looked up. They cannot push out the others. */
  unknown: number;
  /** Calls of one statement. */
  batch: number;
  flushMs: number;
}

export const defaultBufferLimits: BufferLimits = { calls: 5000, unknown: 500, batch: 200, flushMs: 250 };

/**
 * Buffers signed calls and writes them in batches, away from the calls themselves. A crash loses what is in memory: the calls of a
 * quarter of a second, or those since the database went away.
 */
export class RequestBuffer {
  readonly #writer: RequestWriter;
  readonly #limits: BufferLimits;
  readonly #onFailure: (error: unknown) => void;
  #calls: BufferedCall[] = [];
  readonly #counts = new Map<string, KeyHour>();
  /** Refused calls by key and hour, as far as this process knows, of the hour since `#hourMs`. */
  readonly #refused = new Map<string, number>();
  #hourMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(database: WritableDatabase, onFailure: (error: unknown) => void, limits = defaultBufferLimits) {
    this.#writer = new RequestWriter(database);
    this.#onFailure = onFailure;
    this.#limits = limits;
  }

  /** Adds a call, or only counts it. `build` makes the entry, and is not called for a call that is counted only. */
  add(facts: CallFacts, build: () => Omit<BufferedCall, 'merchantId' | 'keyId' | 'at'>): void {
    const { merchantId, keyId, at, isRefused } = facts;
    this.#forgetHours(at);
    if (isRefused && this.#refusedOf(facts) >= refusedPerHour) this.#count(facts, { refused: 1, lost: 0 });
    else if (this.#isFull(merchantId)) this.#count(facts, { refused: 0, lost: 1 });
    else {
      this.#calls.push({ merchantId, keyId, at, ...build() });
      if (isRefused && merchantId !== undefined)
        this.#refused.set(keyHourOf(keyId, hourOf(at)), this.#refusedOf(facts) + 1);
    }
    if (this.#calls.length >= this.#limits.batch) void this.flush();
    else this.#schedule();
  }

  /** Writes everything in memory; keeps it if the database is away. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll()
      .catch(this.#onFailure)
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  /** Writes what is left; to be called once no call is in progress. */
  async stop(): Promise<void> {
    await this.flush();
    // A flush that was in progress may have ended before the last calls were added.
    await this.flush();
    clearTimeout(this.#timer);
  }

  async #writeAll(): Promise<void> {
    while (this.#calls.length > 0 || this.#counts.size > 0) {
      const batch = { calls: this.#calls.splice(0, this.#limits.batch), counts: [...this.#counts.values()] };
      this.#counts.clear();
      const { totals, left } = await this.#writer.write(batch);
      this.#learn(totals);
      if (left.calls.length === 0 && left.counts.length === 0) continue;
      this.#keep(left);
      this.#schedule();
      return;
    }
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#limits.flushMs).unref();
  }

  /** Puts back what could not be written, as far as there is room. */
  #keep({ calls, counts }: Batch): void {
    for (const call of calls)
      if (this.#isFull(call.merchantId)) this.#count(call, { refused: 0, lost: 1 });
      else this.#calls.push(call);
    for (const { merchantId, keyId, hour, refused, lost } of counts)
      this.#count({ merchantId, keyId, at: hour }, { refused, lost });
  }

  #isFull(merchantId: bigint | undefined): boolean {
    if (this.#calls.length >= this.#limits.calls) return true;
    if (merchantId !== undefined) return false;
    const unknown = this.#calls.filter((call) => call.merchantId === undefined).length;
    return unknown >= this.#limits.unknown;
  }

  /** Counts a call of a known key. There is nobody whose count one of an unknown key could be. */
  #count(
    { merchantId, keyId, at }: Pick<CallFacts, 'merchantId' | 'keyId' | 'at'>,
    more: Pick<KeyHour, 'refused' | 'lost'>,
  ): void {
    if (merchantId === undefined) return;
    const hour = hourOf(at);
    const key = keyHourOf(keyId, hour);
    const { refused, lost } = this.#counts.get(key) ?? { refused: 0, lost: 0 };
    this.#counts.set(key, {
      merchantId,
      keyId,
      hour,
      refused: refused + more.refused,
      lost: lost + more.lost,
    });
  }

  #refusedOf({ keyId, at }: CallFacts): number {
    return this.#refused.get(keyHourOf(keyId, hourOf(at))) ?? 0;
  }

  #learn(totals: readonly RefusedTotal[]): void {
    for (const { keyId, hour, refused } of totals) {
      const key = keyHourOf(keyId, hour);
      if (hour.getTime() === this.#hourMs)
        this.#refused.set(key, Math.max(refused, this.#refused.get(key) ?? 0));
    }
  }

  #forgetHours(at: Date): void {
    const hourMs = hourOf(at).getTime();
    if (hourMs <= this.#hourMs) return;
    this.#hourMs = hourMs;
    this.#refused.clear();
  }
}
