/** Minor units of a payment and of its refunds so far. */
export interface Payment {
  amountMinor: bigint;
  feeMinor: bigint;
  /** Given back, or under way. */
  givenBackMinor: bigint;
  /** The part of the fee that these refunds return. */
  returnedFeeMinor: bigint;
}

/**
 * Returns the part of the fee that a refund returns, in minor units: in proportion to everything given back so far, rounded down, less
 * what earlier refunds have returned. However a payment is divided, its parts return exactly the fee once all of it is given back.
 */
export function returnedFee(payment: Payment, partMinor: bigint): bigint {
  const { amountMinor, feeMinor, givenBackMinor, returnedFeeMinor } = payment;
  const due = (feeMinor * (givenBackMinor + partMinor)) / amountMinor - returnedFeeMinor;
  // A refund that failed may have returned a unit that is not due yet.
  return due > 0n ? (due < partMinor ? due : partMinor) : 0n;
}

const firstQuerySeconds = 3;
const longestQuerySeconds = 900;

/** Returns the backoff before the nth query to the channel (from 0), in seconds. */
export function queryDelaySeconds(attempt: number): number {
  return Math.min(firstQuerySeconds * 2 ** attempt, longestQuerySeconds);
}

/** Queries answered with "unknown" until the channel gets the order to void the refund. */
export const queriesBeforeVoid = 2;
