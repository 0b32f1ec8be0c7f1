import { createHash } from 'node:crypto';

/** Seconds that a user whose password was right may take for the second factor. */
export const pendingSeconds = 600;

/** Failures a minute for one email from one address before it has to wait. */
export const failuresPerMinute = 5;
/** Failures in a row for one account, from anywhere, that slow it down, and that lock it. */
const slowAfterFailures = 10;
export const lockAfterFailures = 20;
const slowSeconds = 30;
const lockSeconds = 30 * 60;

/** Seconds that an account waits after this many failures in a row. */
export function accountWaitSeconds(failures: number): number {
  if (failures >= lockAfterFailures) return lockSeconds;
  return failures >= slowAfterFailures ? slowSeconds : 0;
}

/** How long a session lasts: idle time and longest time in seconds. `remember` lengthens the idle time only. */
export function sessionLife(remember: boolean): { idleSeconds: number; longestSeconds: number } {
  const longestSeconds = 12 * 3600;
  return { idleSeconds: remember ? longestSeconds : 30 * 60, longestSeconds };
}

/** Seconds that the owner of a locked account may use a code from the service's staff. */
export const unlockCodeSeconds = 30 * 60;

/** How an unlock code is stored, and looked up as typed: case, spaces and hyphens are the typist's own. */
export function hashUnlockCode(code: string): Buffer {
  return createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest();
}
