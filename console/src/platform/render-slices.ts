import { unstable_forceFrameRate as forceFrameRate } from 'scheduler';

/** Slices of 30 ms: with the unit of work that ends one, a slow machine stays below the 50 ms of a long task. */
const slicesPerSecond = 33;

/**
 * Lets React render the first page in longer slices than its 5 ms. A slow machine spends a large part of so short ones on changing
 * between them, while there is nothing on screen yet that could move.
 */
export function beginFirstPage(): void {
  forceFrameRate(slicesPerSecond);
}

/** Returns to React's own slices. */
export function endFirstPage(): void {
  forceFrameRate(0);
}
