const millionth = 1_000_000n;

/** The fee terms of an order: a rate in parts per million, and a fixed part in minor units. */
export interface FeeTerms {
  ratePpm: number;
  fixedMinor: bigint;
}

/** Calculates the fee of an amount, in minor units: the rate rounded half up, plus the fixed part. */
export function feeOf(amountMinor: bigint, { ratePpm, fixedMinor }: FeeTerms): bigint {
  return (amountMinor * BigInt(ratePpm) + millionth / 2n) / millionth + fixedMinor;
}

/** The fee of a payment that is given back: returned to the merchant in proportion, or kept by the service. */
export const refundFees = ['returned', 'kept'] as const;
/** The funds that pay refunds: unsettled funds alone, or available funds as well once those do not suffice. */
export const refundFunds = ['unsettled', 'available'] as const;
