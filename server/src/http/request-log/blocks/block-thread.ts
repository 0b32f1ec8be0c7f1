import { pathToFileURL } from 'node:url';
import { entryFile } from '#folders.ts';
import { OwnThread } from '#threads/own-thread.ts';
import { BlockMaking, type FieldsByPath } from './block-making.ts';
import type { CallBlock } from './blocks.sql.ts';
import type { RawCalls } from './created-calls.ts';

/** The question to the thread: calls by block; and its answer, the block of each. */
export type BlockQuestion = readonly RawCalls[];
export type BlockAnswer = (CallBlock | undefined)[];

/** With more work than this, blocks are made in a thread: on the main thread, they would delay requests by more than a millisecond. */
const maxCallsOnMainThread = 200;
/** A block costs as much as so many of its calls. */
const callsForBlock = 8;
const idleMs = 60_000;

/** Makes blocks: few on the main thread, many in a thread of their own, which ends when there is nothing to do. */
export class BlockThread {
  readonly #onFailure: (error: unknown) => void;
  readonly #making: BlockMaking;
  readonly #thread: OwnThread<BlockQuestion, BlockAnswer>;

  constructor(fields: FieldsByPath, onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
    this.#making = new BlockMaking(fields);
    const module = pathToFileURL(entryFile('blockThread'));
    this.#thread = new OwnThread({ module, given: fields, idleMs });
  }

  /** Returns the block of each, undefined for calls of which none can be made. */
  async make(all: BlockQuestion): Promise<BlockAnswer> {
    const calls = all.reduce((sum, { count }) => sum + count + callsForBlock, 0);
    const made = calls > maxCallsOnMainThread ? await this.#makeInThread(all) : undefined;
    return made ?? all.map((each) => this.#makeOnMainThread(each));
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Asks the thread. If one of the blocks cannot be made, or if the thread ends, all are made on the main thread. */
  async #makeInThread(all: BlockQuestion): Promise<BlockAnswer | undefined> {
    try {
      const made = await this.#thread.ask(all);
      return made.map((block) => block && withBuffer(block));
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }

  #makeOnMainThread(calls: RawCalls): CallBlock | undefined {
    try {
      return this.#making.blockOf(calls);
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }
}

/** Copied between threads, a buffer is no more than an array of bytes. */
function withBuffer(block: CallBlock): CallBlock {
  const { buffer, byteOffset, byteLength } = block.content;
  return { ...block, content: Buffer.from(buffer, byteOffset, byteLength) };
}
