import type { Database } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { fieldRefusal } from '#domain/refusal.ts';
import { countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import type { Secrets } from '#security/secrets.ts';
import { acceptedStep, codesPerMinute } from '#security/totp.rules.ts';
import type { StoredFactor } from './two-factor.sql.ts';

const minuteSeconds = 60;

/**
 * Counts a signed-in person's attempt at a code; an absent code is refused uncounted. Throws
 * `validation_failed` on `code`, `too_many_attempts`.
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

/** Returns the time step of a correct code. Throws `validation_failed` on `code`. */
export function acceptCode(secrets: Secrets, factor: StoredFactor, code: string | undefined): bigint {
  if (code === undefined) throw fieldRefusal('code', 'validation.codeRequired');
  const secret = factor.secretEncrypted && secrets.decrypt(factor.secretEncrypted);
  const step = secret ? acceptedStep(secret, code, factor.now.getTime(), factor.lastStep) : undefined;
  if (step === undefined) throw fieldRefusal('code', 'validation.codeWrong');
  return BigInt(step);
}

/** The states of an app in the audit trail. */
export const [appOff, appPending, appOn] = [{ app: 'off' }, { app: 'pending' }, { app: 'on' }];

/** Returns whether an app is bound, as a state for the audit trail. */
export function appStateOf({ secretEncrypted }: StoredFactor): { app: string } {
  return secretEncrypted === null ? appOff : appOn;
}

/** Stored values without a bound app. */
export const noApp = { secretEncrypted: null, confirmedAt: null, lastStep: null };
