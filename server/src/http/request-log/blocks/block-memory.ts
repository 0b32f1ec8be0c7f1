/** The smallest piece of memory in bytes; larger ones have twice the size of the next smaller one. */
const smallestBytes = 4096;
/** Several times as long as a block waits, and shorter than the quiet after which the heap is collected (`adaptHeapGrowth`). */
const idleMs = 5000;

type Piece = Buffer<SharedArrayBuffer>;

/** Unused pieces of one size. The last one given back is taken first, so those at the beginning are needed the least. */
interface Unused {
  pieces: Piece[];
  /** The fewest that were unused at any moment of the current interval. */
  fewest: number;
}

/**
 * Memory for the bodies of waiting calls, used again from block to block. It is shared with the thread that makes the blocks, so nothing is copied for
 * it, and V8 does not count it as garbage to come: memory of its own for each block starts a full collection twice a minute.
 */
export class BlockMemory {
  readonly #unused = new Map<number, Unused>();
  #timer: NodeJS.Timeout | undefined;

  /** Returns a piece of at least so many bytes, which may hold what an earlier block wrote. */
  take(bytes: number): Piece {
    const size = sizeOf(bytes);
    const unused = this.#unused.get(size);
    const piece = unused?.pieces.pop();
    if (!unused || !piece) return Buffer.from(new SharedArrayBuffer(size));
    unused.fewest = Math.min(unused.fewest, unused.pieces.length);
    return piece;
  }

  /** Takes back a piece that nobody reads any more. What was not needed for five to ten seconds is left to the garbage collector. */
  giveBack(piece: Piece): void {
    const unused = this.#unused.get(piece.length);
    if (unused) unused.pieces.push(piece);
    else this.#unused.set(piece.length, { pieces: [piece], fewest: 0 });
    this.#timer ??= setTimeout(() => this.#forgetIdle(), idleMs).unref();
  }

  #forgetIdle(): void {
    for (const [size, unused] of this.#unused) {
      unused.pieces.splice(0, unused.fewest);
      unused.fewest = unused.pieces.length;
      if (unused.fewest === 0) this.#unused.delete(size);
    }
    this.#timer = this.#unused.size > 0 ? setTimeout(() => this.#forgetIdle(), idleMs).unref() : undefined;
  }
}

/** Returns the size of the smallest piece with room for so many bytes. */
const sizeOf = (bytes: number) => Math.max(smallestBytes, 2 ** Math.ceil(Math.log2(bytes)));
