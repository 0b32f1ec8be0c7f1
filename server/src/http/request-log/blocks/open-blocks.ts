import { BlockThread } from './block-thread.ts';
import type { CallBlock } from './blocks.sql.ts';
import { createFields } from './create-fields.ts';
import { type CreatedCall, CreatedCalls, groupKey } from './created-calls.ts';

/** Sizes of the blocks in memory. */
export interface BlockLimits {
  /** If no more calls wait than these, all are written: nobody waits for a quiet merchant's block to fill. */
  fewCalls: number;
  /** Otherwise, a block is written when its first call has waited so long. */
  blockMs: number;
  /** With so many calls that wait, all are written. */
  blockedCalls: number;
}

/** The calls of this process that created orders and wait to be written in blocks, and the blocks that could not be written. */
export class OpenBlocks {
  readonly #limits: BlockLimits;
  readonly #thread: BlockThread;
  readonly #open = new Map<string, CreatedCalls>();
  readonly #full: CreatedCalls[] = [];
  #waiting = 0;
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

  /** Adds a call. Returns false if it cannot be in a block with the others of its group, which is rare: then it is to be kept as a row. */
  add(call: CreatedCall): boolean {
    const key = groupKey(call);
    let open = this.#open.get(key);
    if (!open || open.isFull) {
      if (open) this.#full.push(open);
      open = new CreatedCalls(call);
      this.#open.set(key, open);
    }
    if (!open.add(call)) return false;
    this.#waiting++;
    return true;
  }

  /**
   * Takes the blocks that are to be written now, or all, and those that were kept. Of calls whose block could not be made, returns the calls
   * themselves, to be counted.
   */
  async take(isAll: boolean): Promise<{ blocks: CallBlock[]; lost: CreatedCalls[] }> {
    const { fewCalls, blockMs } = this.#limits;
    const isWhole = isAll || this.hasMany || this.#waiting <= fewCalls;
    const due = this.#takeDue(isWhole ? Infinity : performance.now() - blockMs);
    const kept = this.#kept;
    this.#kept = [];
    this.#inKept = 0;
    const made = due.length > 0 ? await this.#thread.make(due.map((calls) => calls.raw())) : [];
    for (const { count } of due) this.#waiting -= count;
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

  #takeDue(sinceMs: number): CreatedCalls[] {
    const due = this.#full.splice(0);
    for (const [key, open] of this.#open)
      if (open.sinceMs <= sinceMs) {
        this.#open.delete(key);
        due.push(open);
      }
    return due;
  }
}
