/** Longest time that a request may take to arrive, unless its body is a file (`file-bodies.ts`). */
export const requestTimeoutMs = 60_000;
