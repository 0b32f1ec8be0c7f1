import { BlockThread } from './block-thread.ts';
import type { CallBlock } from './blocks.sql.ts';
import { BufferPool } from './buffer-pool.ts';
import { createFields } from './create-fields.ts';
import { type CreatedCall, CreatedCalls } from './created-calls.ts';

/** Sizes of the blocks in memory. */
export interface BlockLimits {
  /** How often blocks are written at least, if any are due. */
  flushMs: number;
  /** If no more calls wait than this, all are written then: nobody waits for a quiet merchant's block to fill. */
  fewCalls: number;
  /** Otherwise, a block is written after half of this time to all of it, at random: those that began together are not written together. */
  blockMs: number;
  /** Once this many calls wait, all are written. */
  blockedCalls: number;
}

/** Maximum open blocks of a key, each of a path and an address. Those of further addresses would have hardly any calls. */
const maxOpenOfKey = 32;

/** The calls of this process that created orders and wait to be written in blocks, and the blocks that could not be written. */
export class OpenBlocks {
  readonly #limits: BlockLimits;
  readonly #thread: BlockThread;
  readonly #pool = new BufferPool();
  /** The open blocks of each key. */
  readonly #open = new Map<string, CreatedCalls[]>();
  readonly #full: CreatedCalls[] = [];
  #waiting = 0;
  /** When all were taken, as `performance.now()` tells it. */
  #takenMs = -Infinity;
  #kept: CallBlock[] = [];
  #inKept = 0;

  constructor(limits: BlockLimits, onFailure: (error: unknown) => void) {
    this.#limits = limits;
    this.#thread = new BlockThread(createFields, onFailure);
  }

  /** All calls. */
  get calls(): number {
    return this.#waiting + this.#inKept;
  }

  /** Whether so many calls wait that all are to be written. */
  get hasMany(): boolean {
    return this.#waiting >= this.#limits.blockedCalls;
  }

  /** Adds a call. Returns false if it does not fit into the open block of its group; it is then kept as a row. */
  add(call: CreatedCall): boolean {
    const ofKey = this.#open.get(call.keyId) ?? [];
    let open = ofKey.find(({ group }) => group.path === call.path && group.address === call.address);
    if (!open && ofKey.length >= maxOpenOfKey) return false;
    if (!open || open.isFull || open.isBefore(call)) {
      if (open) this.#full.push(...ofKey.splice(ofKey.indexOf(open), 1));
      open = new CreatedCalls(
        call,
        performance.now() + this.#limits.blockMs * (1 - Math.random() / 2),
        this.#pool,
      );
      ofKey.push(open);
      this.#open.set(call.keyId, ofKey);
    }
    if (open.isBehind(call)) return false;
    open.add(call);
    this.#waiting++;
    return true;
  }

  /**
   * Takes the blocks that are to be written now, or all, and those that were kept. Of calls whose block could not be made, returns the calls
   * themselves, to be counted.
   */
  async take(isAll: boolean): Promise<{ blocks: CallBlock[]; lost: CreatedCalls[] }> {
    const { flushMs, fewCalls } = this.#limits;
    const now = performance.now();
    // Full batches of rows are written more often, and would take blocks with hardly any calls.
    const isQuiet = this.#waiting <= fewCalls && now - this.#takenMs >= flushMs / 2;
    const isWhole = isAll || this.hasMany || isQuiet;
    if (isWhole) this.#takenMs = now;
    const due = this.#takeDue(isWhole ? Infinity : now);
    const kept = this.#kept;
    this.#kept = [];
    this.#inKept = 0;
    const made = due.length > 0 ? await this.#thread.make(due.map((calls) => calls.raw())) : [];
    for (const calls of due) {
      this.#waiting -= calls.count;
      calls.release();
    }
    return {
      blocks: [...kept, ...made.filter((block) => block !== undefined)],
      lost: due.filter((_, index) => made[index] === undefined),
    };
  }

  /** Keeps a block that could not be written until it is taken again. */
  keep(block: CallBlock): void {
    this.#kept.push(block);
    this.#inKept += block.calls;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #takeDue(untilMs: number): CreatedCalls[] {
    const due = this.#full.splice(0);
    for (const [keyId, ofKey] of this.#open) {
      const isDue = (open: CreatedCalls) => open.isFull || open.dueMs <= untilMs;
      const left = ofKey.filter((open) => !isDue(open));
      due.push(...ofKey.filter(isDue));
      if (left.length === 0) this.#open.delete(keyId);
      else this.#open.set(keyId, left);
    }
    return due;
  }
}
