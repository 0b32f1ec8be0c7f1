import { collectWhenQuiet } from '#threads/heap-growth.ts';

/** The smallest buffer in bytes; larger ones have twice the size of the next smaller one. */
const smallestBytes = 4096;
/** Longer than a block waits. */
const trimMs = 5000;
/** So many bytes left to the garbage collector are worth a collection. */
const bytesToReturn = 16 * 1024 * 1024;

type SharedBuffer = Buffer<SharedArrayBuffer>;

/** Unused buffers of one size. The last one released is acquired first, so those at the beginning are needed the least. */
interface Unused {
  buffers: SharedBuffer[];
  /** The smallest number that was unused since the last trim. */
  lowWater: number;
}

/**
 * Memory for the bodies of waiting calls, used again from block to block. It is shared with the thread that makes the blocks, so nothing is copied for
 * it, and V8 does not count it: buffers of their own for each block start a full collection twice a minute.
 */
export class BufferPool {
  readonly #unused = new Map<number, Unused>();
  #timer: NodeJS.Timeout | undefined;
  /** Left to the garbage collector since it was last asked for a collection. */
  #leftBytes = 0;
  readonly #onMuchLeft: () => void;

  /**
   * @param onMuchLeft called when much memory has been left to the garbage collector, which does not know of it. What the thread has read last stays until
   * the thread collects its own garbage, or ends.
   */
  constructor(onMuchLeft = collectWhenQuiet) {
    this.#onMuchLeft = onMuchLeft;
  }

  /** Returns a buffer of at least so many bytes, which may hold what an earlier block wrote. */
  acquire(bytes: number): SharedBuffer {
    const size = sizeOf(bytes);
    const unused = this.#unused.get(size);
    const buffer = unused?.buffers.pop();
    if (!unused || !buffer) return Buffer.from(new SharedArrayBuffer(size));
    unused.lowWater = Math.min(unused.lowWater, unused.buffers.length);
    return buffer;
  }

  /** Takes back a buffer that nobody reads any more. If it is not needed for five to ten seconds, it is left to the garbage collector. */
  release(buffer: SharedBuffer): void {
    const unused = this.#unused.get(buffer.length);
    if (unused) unused.buffers.push(buffer);
    else this.#unused.set(buffer.length, { buffers: [buffer], lowWater: 0 });
    this.#timer ??= setTimeout(() => this.#trim(), trimMs).unref();
  }

  #trim(): void {
    for (const [size, unused] of this.#unused) {
      this.#leftBytes += size * unused.buffers.splice(0, unused.lowWater).length;
      unused.lowWater = unused.buffers.length;
      if (unused.lowWater === 0) this.#unused.delete(size);
    }
    if (this.#leftBytes >= bytesToReturn) {
      this.#leftBytes = 0;
      this.#onMuchLeft();
    }
    this.#timer = this.#unused.size > 0 ? setTimeout(() => this.#trim(), trimMs).unref() : undefined;
  }
}

/** Returns the size of the smallest buffer with room for so many bytes. */
const sizeOf = (bytes: number) => Math.max(smallestBytes, 2 ** Math.ceil(Math.log2(bytes)));
