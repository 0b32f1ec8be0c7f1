import type { Database } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { fieldRefusal } from '#domain/refusal.ts';
import { countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import type { Secrets } from '#security/secrets.ts';
import { acceptedStep, codesPerMinute } from './two-factor.rules.ts';
import type { StoredFactor } from './two-factor.sql.ts';

const minuteSeconds = 60;

/**
 * Counts a try of a code by somebody who is signed in; an absent one is none. Throws `validation_failed` on `code`,
 * `too_many_attempts`.
 */
export async function countCode(
  database: Database,
  { userId }: Person,
  code: string | undefined,
): Promise<void> {
  if (code === undefined) throw fieldRefusal('code', 'validation.codeRequired');
  const limit = { limit: codesPerMinute, windowSeconds: minuteSeconds };
  await countOrRefuse(database, tries.factor(userId), limit);
}

/** Returns the step of a right code. Throws `validation_failed` on `code`. */
export function acceptCode(secrets: Secrets, factor: StoredFactor, code: string | undefined): bigint {
  if (code === undefined) throw fieldRefusal('code', 'validation.codeRequired');
  const secret = factor.secretEncrypted && secrets.decrypt(factor.secretEncrypted);
  const step = secret ? acceptedStep(secret, code, factor.now.getTime(), factor.lastStep) : undefined;
  if (step === undefined) throw fieldRefusal('code', 'validation.codeWrong');
  return BigInt(step);
}

/** The states of an app, as the trail names them. */
export const [appOff, appPending, appOn] = [{ app: 'off' }, { app: 'pending' }, { app: 'on' }];

/** The state of the app that a person has bound, or not. */
export function appStateOf({ secretEncrypted }: StoredFactor): { app: string } {
  return secretEncrypted === null ? appOff : appOn;
}

/** No app is bound. */
export const noApp = { secretEncrypted: null, confirmedAt: null, lastStep: null };
