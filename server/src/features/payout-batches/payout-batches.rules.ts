import { type FeeTerms, feeOf } from '@hengfu/contract/fees';
import type { BatchOrder } from '@hengfu/contract/payout-batch-rows';

/** A row that can be made a payout, at its place among those sent (from 1). */
export interface ReadRow {
  line: number;
  order: BatchOrder;
  outTradeNo: string | null;
  amountMinor: bigint;
}

/** A fault of a row: its field, and the phrase that says why. */
export interface RowFault {
  line: number;
  field: string;
  message: string;
}

/** What rows come to: amounts, fees, and what a purse pays for, row by row in their order. */
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

/** What a row asks for, as text: the same for the same payment, however its fields are ordered. */
export function contentOf({ order }: ReadRow): string {
  const said = Object.entries(order).filter(([, value]) => value !== undefined);
  return JSON.stringify(said.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Each row that says the same as one above it, with the first of those. */
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
