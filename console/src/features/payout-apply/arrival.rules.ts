import type { PayoutRow } from '@hengfu/contract/payouts';

/** Fewer payouts say nothing about the next one. */
const minPayouts = 5;

/** How long payouts took to be confirmed by their channel. */
export interface Arrival {
  /** Half of them took no longer. */
  medianMs: number;
  /** How many payouts this is measured on. */
  count: number;
}

/** Measures how long processed payouts took; undefined if there are too few. */
export function arrivalOf(rows: readonly Pick<PayoutRow, 'createdAt' | 'paidAt'>[]): Arrival | undefined {
  const durations = rows
    .flatMap(({ createdAt, paidAt }) => (paidAt === null ? [] : [Date.parse(paidAt) - Date.parse(createdAt)]))
    .toSorted((a, b) => a - b);
  const medianMs = durations[Math.ceil(durations.length / 2) - 1];
  return durations.length < minPayouts || medianMs === undefined
    ? undefined
    : { medianMs, count: durations.length };
}
