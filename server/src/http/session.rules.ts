import { createHash } from 'node:crypto';
import type { SessionLevel } from '@hengfu/contract/authentication';
import type { StaffLevel } from '@hengfu/contract/staff/level';

/** Hashes a session id for storage, so that reading the table does not yield usable sessions. */
export function hashSessionId(sessionId: string): Buffer {
  return createHash('sha256').update(sessionId).digest();
}

/** Seconds that a user has to pass the second factor after the password. */
export const pendingSeconds = 600;

/** Failures per minute for one email from one address before it has to wait. */
export const failuresPerMinute = 5;
/**
 * Accounts that one address (`caller`), or one /48 of IPv6 (`site`), may fail to sign in to within an hour.
 * Beyond that it may try one more account per minute, with any number of passwords.
 */
export const triedAccountLimits = { caller: 20, site: 100, windowSeconds: 3600, pauseSeconds: 60 };
/** Consecutive failures for one account, from any address, that slow it down or lock it. */
export const slowAfterFailures = 10;
export const lockAfterFailures = 20;
const slowSeconds = 30;
const lockSeconds = 30 * 60;

/** Returns the seconds that an account must wait after this many consecutive failures. */
export function accountWaitSeconds(failures: number): number {
  if (failures >= lockAfterFailures) return lockSeconds;
  return failures >= slowAfterFailures ? slowSeconds : 0;
}

/** Returns a session's idle timeout and maximum lifetime. `remember` extends only the idle timeout. */
export function sessionLife(remember: boolean): { idleSeconds: number; longestSeconds: number } {
  const longestSeconds = 12 * 3600;
  return { idleSeconds: remember ? longestSeconds : 30 * 60, longestSeconds };
}

/** Seconds that an unlock code from the service's staff is valid. */
export const unlockCodeSeconds = 30 * 60;
/** Passwords that may be tried with one code, since it bypasses the locks that stop other guesses. */
export const unlockCodeTries = 5;

/** The facts that determine a session's level. */
export interface LevelFacts {
  /** The person has bound a second factor. */
  hasFactor: boolean;
  /** The merchant requires its users to have one. */
  isFactorRequired: boolean;
  /** This session has passed one. */
  hasPassed: boolean;
  /** The merchant that it works for is chosen. */
  isChosen: boolean;
}

/**
 * Returns a session's level. That the person has a second factor proves nothing about the session: someone
 * else may have bound it since.
 */
export function levelOf({ hasFactor, isFactorRequired, hasPassed, isChosen }: LevelFacts): SessionLevel {
  if (hasFactor && !hasPassed) return 'password';
  if (!isChosen) return 'person';
  if (hasFactor) return 'secondFactor';
  return isFactorRequired ? 'bound' : 'complete';
}

/** Hashes an unlock or enrollment code for storage and lookup, ignoring case, spaces and hyphens. */
export function hashStaffCode(code: string): Buffer {
  return createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest();
}

/** Returns the level of a session of our staff. `isFactorRequired`: always, but in demo mode. */
export function staffLevelOf({
  hasFactor,
  isFactorRequired,
  hasPassed,
}: Pick<LevelFacts, 'hasFactor' | 'isFactorRequired' | 'hasPassed'>): StaffLevel {
  if (hasFactor) return hasPassed ? 'complete' : 'password';
  return isFactorRequired ? 'binding' : 'complete';
}
