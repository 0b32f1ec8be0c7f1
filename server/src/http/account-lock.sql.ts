import type { Tx } from '#db/database.ts';
import { block, countTry, readBlock, tooManyAttempts } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { accountWaitSeconds, failuresPerMinute, lockAfterFailures } from './session.rules.ts';

/** Throws `too_many_attempts` while an account is blocked after consecutive wrong passwords. */
export async function refuseLocked(tx: Tx, email: string): Promise<void> {
  const seconds = await readBlock(tx, tries.account(email));
  if (seconds > 0) throw tooManyAttempts(seconds, failuresPerMinute);
}

/** Counts a wrong password for an account, which slows it down and finally locks it; returns whether this one locked it. */
export async function countWrongPassword(tx: Tx, email: string): Promise<boolean> {
  const { failures } = await countTry(tx, tries.account(email), null);
  const seconds = accountWaitSeconds(failures);
  if (seconds > 0) await block(tx, tries.account(email), seconds);
  return failures === lockAfterFailures;
}
