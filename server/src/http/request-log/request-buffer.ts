import { admittedPerHour, refusedPerHour } from '@hengfu/contract/request-log';
import type { CallBlock } from './blocks/blocks.sql.ts';
import type { CreatedCall } from './blocks/created-calls.ts';
import { type BlockLimits, OpenBlocks } from './blocks/open-blocks.ts';
import { type CallEntry, hourOf } from './request-log.sql.ts';
import {
  type Batch,
  type BufferedCall,
  type BufferedCounts,
  type BufferedFacts,
  keyHourOf,
  lostBlock,
  type RefusedTotal,
  RequestWriter,
  sumOf,
  type WritableDatabase,
} from './request-writer.ts';

/**
 * Kinds of calls of a key and an hour, each counted to a limit of its own: whoever reads much cannot thereby keep what the key changes out of
 * the log.
 */
type Kind = 'read' | 'changed' | 'refused' | 'unverified';

const noCounts = { refused: 0, unverified: 0, lost: 0 };

/** A call in memory. Its entry is built when its batch is written: two hundred in a row take half of the time that they take one by one. */
type WaitingCall = BufferedFacts & { entry: CallEntry | (() => CallEntry) };

/** Sizes of the buffer. */
export interface BufferLimits extends BlockLimits {
  /** Calls in memory, those in blocks included; beyond them, calls are counted only. */
  calls: number;
  /** Of these, calls that name a key which was not looked up. They cannot push out the others. */
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
  calls: 20_000,
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
  #calls: WaitingCall[] = [];
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
    if (this.#keptOf(kind, facts) >= this.#limitOf(kind)) this.#count(facts, overflowOf(kind));
    else if (this.#isFull(facts.merchantId)) this.#count(facts, { lost: 1 });
    else this.#push({ ...facts, entry: build }, kind, bytes);
    this.#writeSoon();
  }

  /** Adds a call that created an order, or only counts it. Returns false if it is to be added like any other. */
  addCreated(call: CreatedCall): boolean {
    this.#forgetHours(call.at);
    const kept = this.#keptOf('changed', call);
    if (kept >= this.#limits.admitted || this.#isFull(call.merchantId)) this.#count(call, { lost: 1 });
    else if (!this.#blocks.add(call)) return false;
    else if (this.#isOfHour(call.at)) this.#kept.changed.set(call.keyId, kept + 1);
    this.#writeSoon();
    return true;
  }

  #writeSoon(): void {
    if (this.#calls.length >= this.#limits.batch || this.#blocks.hasMany) void this.flush();
    else this.#schedule();
  }

  #push(waiting: WaitingCall, kind: Kind, bytes: number): void {
    const call = bytes > this.#limits.waitingBytes ? this.#built(waiting) : waiting;
    if (!call) return;
    this.#calls.push(call);
    // Of a key that was not looked up, the database says how many there were, if it exists.
    const { merchantId, keyId, at } = call;
    if (merchantId === undefined || !this.#isOfHour(at)) return;
    this.#kept[kind].set(keyId, this.#keptOf(kind, call) + 1);
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

  /** Writes what is left; to be called once no call is in progress. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.flush();
    // A flush that was in progress may have ended before the last calls were added.
    await this.flush();
    clearTimeout(this.#timer);
    await this.#blocks.close();
  }

  /**
   * Writes what is in memory now. What is added meanwhile waits for the next time: a batch for each few calls would cost more than
   * the calls.
   */
  async #writeAll(): Promise<void> {
    let due = this.#calls.length;
    let blocks = await this.#takeBlocks();
    do {
      const waiting = this.#calls.splice(0, Math.min(due, this.#limits.batch));
      due -= waiting.length;
      const calls = waiting.flatMap((call) => this.#built(call) ?? []);
      const batch = { calls, counts: [...this.#counts.values()], blocks };
      blocks = [];
      this.#counts.clear();
      this.#unknownCounts = 0;
      if (isEmpty(batch)) break;
      const { totals, left, faults } = await this.#writer.write(batch).catch((error: unknown) => {
        this.#lose(batch);
        this.#schedule();
        throw error;
      });
      for (const fault of faults) this.#onFailure(fault);
      this.#learn(totals);
      this.#keep(left);
      if (!isEmpty(left)) due = 0;
    } while (due > 0);
    if (this.#calls.length > 0 || this.#counts.size > 0 || this.#blocks.calls > 0) this.#schedule();
  }

  async #takeBlocks(): Promise<CallBlock[]> {
    const { blocks, lost } = await this.#blocks.take(this.#isStopping);
    for (const { group, lastAt, count } of lost) this.#count({ ...group, at: lastAt }, { lost: count });
    return blocks;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#limits.flushMs).unref();
  }

  /** Puts back what could not be written, as far as there is room. */
  #keep({ calls, counts, blocks }: Batch): void {
    for (const block of blocks)
      if (this.#isFull(block.merchantId, block.calls)) this.#recount([lostBlock(block)]);
      else this.#blocks.keep(block);
    for (const call of calls)
      if (this.#isFull(call.merchantId)) this.#count(call, { lost: 1 });
      else this.#calls.push(call);
    this.#recount(counts);
  }

  /** Counts the calls of a batch that will never be written. */
  #lose({ calls, counts, blocks }: Batch): void {
    this.#recount(blocks.map(lostBlock));
    for (const call of calls) this.#count(call, { lost: 1 });
    this.#recount(counts);
  }

  #recount(counts: readonly BufferedCounts[]): void {
    for (const { merchantId, keyId, hour, ...more } of counts)
      this.#count({ merchantId, keyId, at: hour }, more);
  }

  #isFull(merchantId: bigint | undefined, more = 1): boolean {
    if (this.#calls.length + this.#blocks.calls + more > this.#limits.calls) return true;
    if (merchantId !== undefined) return false;
    const unknown = this.#calls.filter((call) => call.merchantId === undefined).length;
    return unknown >= this.#limits.unknown;
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

  #limitOf(kind: Kind): number {
    return isAdmitted(kind) ? this.#limits.admitted : refusedPerHour;
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

const isEmpty = ({ calls, counts, blocks }: Batch) => calls.length + counts.length + blocks.length === 0;

function kindOf({ isRefused, isVerified, isChange }: BufferedFacts): Kind {
  if (!isRefused) return isChange ? 'changed' : 'read';
  return isVerified ? 'refused' : 'unverified';
}

/** Counts one call beyond the limit of its kind. Refused calls are counted whether they are kept or not, admitted ones only if not. */
const overflowOf = (kind: Kind): Partial<typeof noCounts> => ({ [isAdmitted(kind) ? 'lost' : kind]: 1 });

const isAdmitted = (kind: Kind) => kind === 'read' || kind === 'changed';
