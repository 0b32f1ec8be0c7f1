import type { Database, Tx } from '#db/database.ts';
import {
  block,
  clearTries,
  countOrRefuse,
  countTry,
  readBlock,
  restartCount,
  tooManyAttempts,
  uncountTry,
} from '#domain/throttle.sql.ts';
import { staffTries } from '#domain/throttle-keys.ts';
import { accountWaitSeconds, failuresPerMinute, lockAfterFailures } from '#http/session.rules.ts';
import { addressGroup } from '#security/address-group.ts';
import { codesPerMinute } from '#security/totp.rules.ts';

const table = 'staff_throttle';
const minuteSeconds = 60;
/**
 * Sign-ins that may fail from one address in an hour, whatever the emails: our staff are few. No more than lock one account, so
 * that a single address cannot keep one locked.
 */
const failuresOfAddress = { limit: lockAfterFailures, windowSeconds: 3600 };

/**
 * Counts the attempts of our staff, before anything of them is checked, so that concurrent ones count, too. The limits are those of
 * merchants' accounts.
 */
export class StaffAttempts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Counts a sign-in. Throws `too_many_attempts`. */
  async countSignIn(email: string, address: string): Promise<void> {
    const { caller } = addressGroup(address);
    await this.refuseLocked(staffTries.account(email), failuresPerMinute);
    await countOrRefuse(this.#database, staffTries.address(caller), failuresOfAddress, table);
    const perMinute = { limit: failuresPerMinute, windowSeconds: minuteSeconds };
    await countOrRefuse(this.#database, staffTries.signIn(email, caller), perMinute, table);
  }

  /** Counts a code. Throws `too_many_attempts`. */
  async countCode(staffId: bigint): Promise<void> {
    const perMinute = { limit: codesPerMinute, windowSeconds: minuteSeconds };
    await countOrRefuse(this.#database, staffTries.code(staffId), perMinute, table);
    await this.refuseLocked(staffTries.codeInRow(staffId), codesPerMinute);
  }

  /** Throws `too_many_attempts` while a counter is blocked after failures in a row. */
  async refuseLocked(key: Buffer, limit: number): Promise<void> {
    const seconds = await this.#database.asSystem((tx) => readBlock(tx, key, table), { oneStatement: true });
    if (seconds > 0) throw tooManyAttempts(seconds, limit);
  }
}

/** Counts a wrong code in a row, which slows its owner down and finally locks; returns whether this one locked. */
export async function countWrongCode(tx: Tx, staffId: bigint): Promise<boolean> {
  const failures = await countInRow(tx, staffTries.codeInRow(staffId));
  return failures === lockAfterFailures;
}

/**
 * Counts a wrong password in a row, which slows the account down and finally locks it; returns whether this one locked it. After
 * the lock, counting starts over: anybody can fail for anybody's email, and one failure every half hour would keep it locked.
 * For codes it does not, since whoever enters those knows the password.
 */
export async function countWrongPassword(tx: Tx, email: string): Promise<boolean> {
  const key = staffTries.account(email);
  const isLocked = (await countInRow(tx, key)) >= lockAfterFailures;
  if (isLocked) await restartCount(tx, key, table);
  return isLocked;
}

async function countInRow(tx: Tx, key: Buffer): Promise<number> {
  const { failures } = await countTry(tx, key, null, table);
  const seconds = accountWaitSeconds(failures);
  if (seconds > 0) await block(tx, key, seconds, table);
  return failures;
}

/** Takes back what a right password has counted, so that only failures count. */
export async function forgetSignIn(tx: Tx, email: string, address: string): Promise<void> {
  const { caller } = addressGroup(address);
  await uncountTry(tx, staffTries.address(caller), table);
  await forgetAttempts(tx, [staffTries.signIn(email, caller)]);
}

/** Forgets everything that can lock an account out, whatever the address. */
export function forgetLocks(tx: Tx, staffId: bigint, email: string): Promise<void> {
  return forgetAttempts(tx, [
    staffTries.account(email),
    staffTries.code(staffId),
    staffTries.codeInRow(staffId),
    staffTries.ownPassword(staffId),
  ]);
}

/** Forgets attempts. */
function forgetAttempts(tx: Tx, keys: readonly Buffer[]): Promise<void> {
  return clearTries(tx, keys, table);
}
