import { createHash } from 'node:crypto';
import type { SessionLevel } from '@hengfu/contract/authentication';

/** Sessions are stored under a hash of their id: a read of the table gives nobody a session. */
export function hashSessionId(sessionId: string): Buffer {
  return createHash('sha256').update(sessionId).digest();
}

/** Seconds that a user whose password was right may take for the second factor. */
export const pendingSeconds = 600;

/** Failures a minute for one email from one address before it has to wait. */
export const failuresPerMinute = 5;
/**
 * Accounts that may be tried in vain from one address within an hour, and from one /48 of IPv6: beyond that one further
 * account a minute, whatever passwords are tried with it.
 */
export const triedAccountLimits = { caller: 20, site: 100, windowSeconds: 3600, pauseSeconds: 60 };
/** Failures in a row for one account, from anywhere, that slow it down, and that lock it. */
export const slowAfterFailures = 10;
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
/** Passwords that may be tried with one: it goes past the locks that stop other guesses. */
export const unlockCodeTries = 5;

/** What a session's level is judged by. */
export interface Standing {
  /** The person has bound a second factor. */
  hasFactor: boolean;
  /** The merchant's people must have one. */
  isFactorRequired: boolean;
  /** This session has passed one. */
  hasPassed: boolean;
}

/**
 * The level at which a session stands. That the person has a second factor proves nothing about a session: somebody
 * else may have bound it since.
 */
export function levelOf({ hasFactor, isFactorRequired, hasPassed }: Standing): SessionLevel {
  if (hasFactor) return hasPassed ? 'secondFactor' : 'password';
  return isFactorRequired ? 'bound' : 'complete';
}

/** How an unlock code or an enrolment code is stored, and looked up as typed: case, spaces and hyphens are the typist's own. */
export function hashStaffCode(code: string): Buffer {
  return createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest();
}
