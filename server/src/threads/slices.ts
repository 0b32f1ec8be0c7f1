/** A slice is short against what any call takes, so that nobody notices who waits for its end. */
const mostMs = 3;

/** Work that waits for its next slice, the longest first. */
const waiting: (() => void)[] = [];

/** One slice, and then everybody else: however much work is cut into slices at once, others wait for one of them. */
function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(takeTurn);
}

/**
 * Cuts long work of the main thread into slices: `if (slices.isOver) await slices.next()` between its steps lets other
 * calls run. A single step must be much shorter than a slice.
 */
export class Slices {
  #endsAt = performance.now() + mostMs;

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Resolves once everybody else had a turn. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(takeTurn);
    });
    this.#endsAt = performance.now() + mostMs;
  }
}

/** The JSON of an array, made without holding the thread; `of` gives what an item becomes. */
export async function jsonInSlices<T>(items: readonly T[], of: (item: T) => object): Promise<string> {
  const texts: string[] = [];
  const slices = new Slices();
  for (const item of items) {
    if (slices.isOver) await slices.next();
    texts.push(JSON.stringify(of(item)));
  }
  return `[${texts.join(',')}]`;
}
