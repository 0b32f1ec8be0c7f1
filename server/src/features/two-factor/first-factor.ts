import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { isFactorRequiredElsewhere } from '#domain/workplaces.sql.ts';

/**
 * Whether a first binding needs the code that came with the account. Otherwise someone with a stolen password
 * could bind a factor. A session that has passed a second factor, and removed it, has proved more than that; and so
 * has one that an invitation opened, because its link works once.
 */
export function needsEnrolmentCode({ passed, isInvited }: Person): boolean {
  return passed === null && !isInvited;
}

/**
 * Refuses to bind a first factor without the enrollment code if another merchant of the person requires one: a factor counts at
 * all of them, so the code would prove nothing. One that is suspended counts, too: whoever has only the password must not bind a factor
 * meanwhile, which would be valid there after the reactivation. Throws `enrolment_elsewhere`.
 */
export async function assertMayBindHere(tx: Tx, person: Person): Promise<void> {
  if (await isCodeNeededElsewhere(tx, person)) throw new Refusal('enrolment_elsewhere');
}

/**
 * Refuses to bind a factor with the enrollment code unless it is the first one, and this merchant requires one, or another. The person may
 * be unable to enter that one, because it is suspended. Throws `conflict`.
 */
export async function assertBindsFirst(tx: Tx, person: Person): Promise<void> {
  if (person.level === 'bound') return;
  if (person.factors.length > 0 || !(await isCodeNeededElsewhere(tx, person))) throw new Refusal('conflict');
}

async function isCodeNeededElsewhere(tx: Tx, person: Person): Promise<boolean> {
  return needsEnrolmentCode(person) && isFactorRequiredElsewhere(tx, person.userId, person.home.merchantId);
}
