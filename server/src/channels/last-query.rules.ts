/** How long a channel is still queried after an order has expired: late payments arrive within a day. */
export const queryAfterExpiryMs = 24 * 3600 * 1000;
