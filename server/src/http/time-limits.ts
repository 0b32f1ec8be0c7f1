/** Longest time that a request may take to arrive. */
export const requestTimeoutMs = 60_000;
