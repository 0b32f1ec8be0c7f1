/** A slice is short compared to any call, so nobody notices waiting for its end. */
const sliceMs = 3;

/** Work that waits for its next slice, longest wait first. */
const waiting: (() => void)[] = [];

/** Runs one slice, then yields: however much work is cut into slices, others wait for one of them only. */
function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(takeTurn);
}

/**
 * Cuts long work of the main thread into slices: `if (slices.isOver) await slices.next()` between its steps
 * lets other calls run. A single step must be much shorter than a slice.
 */
export class Slices {
  #endsAt = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Resolves once others have had a turn. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(takeTurn);
    });
    this.#endsAt = performance.now() + sliceMs;
  }
}

/** Formats an array as JSON without blocking the thread. `of` maps each item. */
export async function jsonInSlices<T>(items: readonly T[], of: (item: T) => object): Promise<string> {
  const texts: string[] = [];
  const slices = new Slices();
  for (const item of items) {
    if (slices.isOver) await slices.next();
    texts.push(JSON.stringify(of(item)));
  }
  return `[${texts.join(',')}]`;
}
