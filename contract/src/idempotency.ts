/** The header by which a call can be repeated safely. */
export const idempotencyHeader = 'Idempotency-Key';
/** Header of a reply that is the one of an earlier call with the same key: the call was not carried out again. */
export const replayedHeader = 'Idempotency-Replayed';
