import type { Database, Tx } from '#db/database.ts';
import {
  block,
  clearTries,
  countOrRefuse,
  countTry,
  readBlock,
  tooManyAttempts,
} from '#domain/throttle.sql.ts';
import { staffTries } from '#domain/throttle-keys.ts';
import { accountWaitSeconds, failuresPerMinute, lockAfterFailures } from '#http/session.rules.ts';
import { addressGroup } from '#security/address-group.ts';
import { codesPerMinute } from '#security/totp.rules.ts';

const table = 'staff_throttle';
const minuteSeconds = 60;
/** Sign-ins that one address may try in an hour, whatever the emails: our staff are few. */
const triesOfAddress = { limit: 60, windowSeconds: 3600 };

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
    await countOrRefuse(this.#database, staffTries.address(caller), triesOfAddress, table);
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

/** Counts a failure in a row, which slows an account down and finally locks it; returns whether this one locked it. */
export async function countFailure(tx: Tx, key: Buffer): Promise<boolean> {
  const { failures } = await countTry(tx, key, null, table);
  const seconds = accountWaitSeconds(failures);
  if (seconds > 0) await block(tx, key, seconds, table);
  return failures === lockAfterFailures;
}

/** Forgets attempts, after a success. */
export function forgetAttempts(tx: Tx, keys: readonly Buffer[]): Promise<void> {
  return clearTries(tx, keys, table);
}
