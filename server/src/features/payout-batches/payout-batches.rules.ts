import { type FeeTerms, feeOf } from '@hengfu/contract/fees';
import type { BatchOrder } from '@hengfu/contract/payout-batch-rows';

/** A valid row, with its line number in the batch (from 1). */
export interface ReadRow {
  line: number;
  order: BatchOrder;
  outTradeNo: string | null;
  amountMinor: bigint;
}

/** An error in a row: its field, and the key of the phrase that explains it. */
export interface RowFault {
  line: number;
  field: string;
  message: string;
}

/** Adds up amounts and fees, and counts the rows that the available funds cover, taken in order. */
export function sumsOf(rows: readonly ReadRow[], terms: FeeTerms, availableMinor: bigint) {
  const sums = { amountMinor: 0n, feeMinor: 0n, coveredCount: 0 };
  let leftMinor = availableMinor;
  for (const { amountMinor } of rows) {
    const feeMinor = feeOf(amountMinor, terms);
    sums.amountMinor += amountMinor;
    sums.feeMinor += feeMinor;
    if (amountMinor + feeMinor > leftMinor) continue;
    leftMinor -= amountMinor + feeMinor;
    sums.coveredCount++;
  }
  const totalMinor = sums.amountMinor + sums.feeMinor;
  return { ...sums, totalMinor, shortMinor: totalMinor > availableMinor ? totalMinor - availableMinor : 0n };
}

/** Serializes a row's order: the same payment yields the same text, whatever the order of its fields. */
export function contentOf({ order }: ReadRow): string {
  const entries = Object.entries(order).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Maps each line that repeats an earlier row's key to the first line with that key. */
export function repeatsIn<T extends { line: number }>(
  rows: readonly T[],
  keyOf: (row: T) => string | null,
): Map<number, number> {
  const first = new Map<string, number>();
  const repeats = new Map<number, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, row.line);
    else repeats.set(row.line, earlier);
  }
  return repeats;
}
