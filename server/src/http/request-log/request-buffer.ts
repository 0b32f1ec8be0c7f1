import { admittedPerHour, refusedPerHour } from '@hengfu/contract/request-log';
import type { CallBlock } from './blocks/blocks.sql.ts';
import type { CreatedCall } from './blocks/created-calls.ts';
import { type BlockLimits, OpenBlocks } from './blocks/open-blocks.ts';
import { type BufferedCounts, isUnowned, keyHourOf, lostBlock, noCounts, sumOf } from './call-counts.ts';
import { type CallEntry, hourOf } from './request-log.sql.ts';
import {
  type Batch,
  type BufferedCall,
  type BufferedFacts,
  type Outages,
  type RefusedTotal,
  RequestWriter,
  type WritableDatabase,
} from './request-writer.ts';

/**
 * Kinds of calls of a key and an hour, each counted to a limit of its own: whoever reads much cannot thereby keep what the key changes out of
 * the log.
 */
type Kind = 'read' | 'changed' | 'refused' | 'unverified';

/** A call in memory. Its entry is built when its batch is written: two hundred in a row take half of the time that they take one by one. */
type WaitingCall = BufferedFacts & { entry: CallEntry | (() => CallEntry) };

/** Sizes of the buffer. */
export interface BufferLimits extends BlockLimits {
  /** Calls in memory that are to be rows, with their bodies as they were parsed; beyond them, calls are counted only. */
  maxRows: number;
  /** Calls in memory that are to be in blocks, which take much less; beyond them, calls are counted only. */
  maxBlockedCalls: number;
  /** Rows in memory that name a key which was not looked up. They cannot push out the others. */
  unknown: number;
  /** Keys and hours that are counted although the key was not looked up; their calls beyond that leave no trace. */
  unknownCounts: number;
  /** Admitted calls of a key that are kept in an hour: so many that read, and so many that change something. */
  admitted: number;
  /** Calls whose URL and bodies are longer are built at once, because what is kept of them is shorter. */
  waitingBytes: number;
  /** Calls of one statement. */
  batch: number;
}

export const defaultBufferLimits: BufferLimits = {
  maxRows: 5000,
  maxBlockedCalls: 20_000,
  unknown: 500,
  unknownCounts: 5000,
  admitted: admittedPerHour,
  waitingBytes: 8192,
  batch: 200,
  flushMs: 250,
  fewCalls: 200,
  blockMs: 2000,
  blockedCalls: 12_000,
};

/**
 * Buffers signed calls and writes them in batches, away from the calls themselves. A crash loses what is in memory: the calls of a
 * quarter of a second, created orders of two seconds more under load, or those since the database went away.
 */
export class RequestBuffer {
  readonly #writer: RequestWriter;
  readonly #limits: BufferLimits;
  readonly #onFailure: (error: unknown) => void;
  readonly #blocks: OpenBlocks;
  readonly #calls: WaitingCall[] = [];
  /** Waiting calls of keys that were not looked up. */
  #unknownCalls = 0;
  readonly #counts = new Map<string, BufferedCounts>();
  #unknownCounts = 0;
  /** Calls by key and kind of the hour since `#hourMs`: of refused ones as far as this process knows, of admitted ones its own. */
  readonly #kept: Readonly<Record<Kind, Map<string, number>>> = {
    read: new Map(),
    changed: new Map(),
    refused: new Map(),
    unverified: new Map(),
  };
  #hourMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** The databases that were away at the last flush. */
  #away: Outages = new Map();
  #isStopping = false;

  constructor(database: WritableDatabase, onFailure: (error: unknown) => void, limits = defaultBufferLimits) {
    this.#writer = new RequestWriter(database);
    this.#onFailure = onFailure;
    this.#limits = limits;
    this.#blocks = new OpenBlocks(limits, onFailure);
  }

  /**
   * Adds a call, or only counts it.
   * @param bytes length of its URL and bodies
   * @param build makes the entry, now or later; not called for a call that is counted only
   */
  add(facts: BufferedFacts, bytes: number, build: () => CallEntry): void {
    const kind = kindOf(facts);
    this.#forgetHours(facts.at);
    const limit = isAdmitted(kind) ? this.#limits.admitted : refusedPerHour;
    if (this.#keptOf(kind, facts) >= limit) this.#count(facts, overflowOf(kind));
    else if (!this.#hasRoomForRow(facts)) this.#count(facts, { lost: 1 });
    else this.#push({ ...facts, entry: build }, kind, bytes);
    this.#writeSoon();
  }

  /** Adds a call that created an order, or only counts it. Returns false if it is to be added like any other. */
  addCreated(call: CreatedCall): boolean {
    this.#forgetHours(call.at);
    const kept = this.#keptOf('changed', call);
    if (kept >= this.#limits.admitted || !this.#hasRoomInBlocks(1)) this.#count(call, { lost: 1 });
    else if (!this.#blocks.add(call)) return false;
    else if (this.#isOfHour(call.at)) this.#kept.changed.set(call.keyId, kept + 1);
    this.#writeSoon();
    return true;
  }

  #writeSoon(): void {
    const isMuch = this.#calls.length >= this.#limits.batch || this.#blocks.hasMany;
    // While a database is away, each further call would try it again.
    if (isMuch && this.#away.size === 0) void this.flush();
    else this.#schedule();
  }

  #push(waiting: WaitingCall, kind: Kind, bytes: number): void {
    const call = bytes > this.#limits.waitingBytes ? this.#built(waiting) : waiting;
    if (!call) return;
    this.#calls.push(call);
    // Of a key that was not looked up, the database says how many there were, if it exists.
    if (isUnowned(call)) this.#unknownCalls++;
    else if (this.#isOfHour(call.at)) this.#kept[kind].set(call.keyId, this.#keptOf(kind, call) + 1);
  }

  /** Builds the entry of a call. One that cannot be built is counted, and keeps nobody from anything. */
  #built(call: WaitingCall): BufferedCall | undefined {
    const { entry } = call;
    if (typeof entry !== 'function') return { ...call, entry };
    try {
      return { ...call, entry: entry() };
    } catch (error) {
      this.#count(call, { lost: 1 });
      this.#onFailure(error);
      return undefined;
    }
  }

  /** Writes what is in memory and due; keeps it if the database is away. */
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

  /** Writes what is left, and reports how many calls could not be written; to be called once no call is in progress. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.flush();
    // A flush that was in progress may have ended before the last calls were added.
    await this.flush();
    clearTimeout(this.#timer);
    const unwritten = this.#unwritten();
    if (unwritten > 0) this.#onFailure(new Error(`${unwritten} calls of the request log were not written`));
    await this.#blocks.close();
  }

  /** Counts the calls in memory, those that are to be counted only included. */
  #unwritten(): number {
    let calls = this.#calls.length + this.#blocks.calls;
    for (const { refused, unverified, lost } of this.#counts.values()) calls += refused + unverified + lost;
    return calls;
  }

  /**
   * Writes what is in memory now. What is added meanwhile waits for the next time: a batch for each few calls would cost more than
   * the calls. Calls whose database is away keep their places.
   */
  async #writeAll(): Promise<void> {
    const away: Outages = new Map();
    const blocks = await this.#takeBlocks();
    let due = this.#calls.length;
    let first = 0;
    do {
      const waiting = this.#calls.slice(first, first + Math.min(due, this.#limits.batch));
      due -= waiting.length;
      const calls = waiting.flatMap((call) => this.#built(call) ?? []);
      // Blocks come last: while their table is locked, the rows of this flush are written.
      const batch =
        due > 0 ? { calls, counts: [], blocks: [] } : { calls, counts: this.#takeCounts(), blocks };
      const { totals, left, faults } = await this.#writer.write(batch, away);
      this.#calls.splice(first, waiting.length, ...left.calls);
      this.#unknownCalls += left.calls.filter(isUnowned).length - waiting.filter(isUnowned).length;
      first += left.calls.length;
      this.#keep(left);
      this.#learn(totals);
      for (const fault of faults) this.#onFailure(fault);
    } while (due > 0);
    if (this.#unwritten() > 0) this.#schedule();
    // An outage that lasts is reported once.
    const begun = [...away].filter(([place]) => !this.#away.has(place));
    this.#away = away;
    for (const [, error] of begun) this.#onFailure(error);
  }

  async #takeBlocks(): Promise<CallBlock[]> {
    const { blocks, lost } = await this.#blocks.take(this.#isStopping);
    for (const { group, lastAt, count } of lost) this.#count({ ...group, at: lastAt }, { lost: count });
    return blocks;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#limits.flushMs).unref();
  }

  /** Keeps counts and blocks that could not be written, blocks as far as there is room. */
  #keep({ counts, blocks }: Batch): void {
    for (const block of blocks)
      if (this.#hasRoomInBlocks(block.calls)) this.#blocks.keep(block);
      else this.#recount([lostBlock(block)]);
    this.#recount(counts);
  }

  #takeCounts(): BufferedCounts[] {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    this.#unknownCounts = 0;
    return counts;
  }

  #recount(counts: readonly BufferedCounts[]): void {
    for (const { hour, ...count } of counts) this.#count({ ...count, at: hour }, count);
  }

  #hasRoomForRow(facts: BufferedFacts): boolean {
    if (this.#calls.length >= this.#limits.maxRows) return false;
    return !isUnowned(facts) || this.#unknownCalls < this.#limits.unknown;
  }

  #hasRoomInBlocks(calls: number): boolean {
    return this.#blocks.calls + calls <= this.#limits.maxBlockedCalls;
  }

  /**
   * Counts a call. Its merchant may be found when the count is written, so that calls of a key that were refused before it was looked up
   * are counted as well. Keys can be invented, so these counts are limited.
   */
  #count(
    { merchantId, keyId, at }: Pick<BufferedFacts, 'merchantId' | 'keyId' | 'at'>,
    more: Partial<typeof noCounts>,
  ): void {
    const hour = hourOf(at);
    const key = keyHourOf(keyId, hour);
    const sum = this.#counts.get(key);
    if (!sum && merchantId === undefined && this.#unknownCounts++ >= this.#limits.unknownCounts) return;
    this.#counts.set(key, sumOf(sum, { merchantId, keyId, hour, ...noCounts, ...more }));
  }

  #keptOf(kind: Kind, { keyId, at }: Pick<BufferedFacts, 'keyId' | 'at'>): number {
    return this.#isOfHour(at) ? (this.#kept[kind].get(keyId) ?? 0) : 0;
  }

  #isOfHour(at: Date): boolean {
    return hourOf(at).getTime() === this.#hourMs;
  }

  #learn(totals: readonly RefusedTotal[]): void {
    for (const { keyId, hour, ...total } of totals) {
      if (hour.getTime() !== this.#hourMs) continue;
      for (const kind of ['refused', 'unverified'] as const)
        this.#kept[kind].set(keyId, Math.max(total[kind], this.#kept[kind].get(keyId) ?? 0));
    }
  }

  #forgetHours(at: Date): void {
    const hourMs = hourOf(at).getTime();
    if (hourMs <= this.#hourMs) return;
    this.#hourMs = hourMs;
    for (const kept of Object.values(this.#kept)) kept.clear();
  }
}

function kindOf({ isRefused, isVerified, isChange }: BufferedFacts): Kind {
  if (!isRefused) return isChange ? 'changed' : 'read';
  return isVerified ? 'refused' : 'unverified';
}

/** Counts one call beyond the limit of its kind. Refused calls are counted whether they are kept or not, admitted ones only if not. */
const overflowOf = (kind: Kind): Partial<typeof noCounts> => ({ [isAdmitted(kind) ? 'lost' : kind]: 1 });

const isAdmitted = (kind: Kind) => kind === 'read' || kind === 'changed';
