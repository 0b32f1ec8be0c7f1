const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The bank's delays, all in milliseconds. */
export type Timings = {
  /** Outcome 02: from the payer's confirmation to the booking. */
  delayedMs: number;
  /** Outcome 04: from the order's expiry to the booking. */
  lateAfterMs: number;
  /** Outcome 07: how long the reply is held before the connection is dropped. */
  holdMs: number;
  /** How long after its expiry an order may still be paid. */
  payableAfterExpiryMs: number;
  /** How long one attempt at a callback may take. */
  callbackTimeoutMs: number;
  /** Pauses between attempts at a callback; the last one repeats. */
  retryDelaysMs: readonly [number, ...number[]];
  /** How long after the event a callback is retried. */
  retryForMs: number;
  /** How long shutdown waits for callbacks in progress. */
  closeGraceMs: number;
};

/** The delays of the running product. */
export const defaultTimings: Timings = {
  delayedMs: 5 * secondMs,
  lateAfterMs: secondMs,
  holdMs: 10 * secondMs,
  payableAfterExpiryMs: dayMs,
  callbackTimeoutMs: 10 * secondMs,
  retryDelaysMs: [
    secondMs,
    2 * secondMs,
    5 * secondMs,
    15 * secondMs,
    minuteMs,
    5 * minuteMs,
    15 * minuteMs,
    hourMs,
  ],
  retryForMs: dayMs,
  closeGraceMs: secondMs,
};
