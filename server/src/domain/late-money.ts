/** An order, as far as it decides whether its money goes back. */
interface PaidOrder {
  paidAt: Date | null;
  /** False: it was paid beyond the uses of its payment link. Null without a link. */
  holdsLinkUse: boolean | null;
  amountMinor: bigint;
  refundedMinor: bigint;
}

/** Whether an order was paid beyond the uses of its payment link, and its money has not gone back in full yet. */
export function isBeingReturned({ paidAt, holdsLinkUse, amountMinor, refundedMinor }: PaidOrder): boolean {
  return paidAt !== null && holdsLinkUse === false && refundedMinor < amountMinor;
}
