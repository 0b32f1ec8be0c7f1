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
 * Refuses a first binding at a merchant that asks for no enrollment code if another merchant of the person does: a factor counts at
 * all of them, so the code would prove nothing. Throws `enrolment_elsewhere`.
 */
export async function assertMayBindHere(tx: Tx, person: Person): Promise<void> {
  if (!needsEnrolmentCode(person)) return;
  if (await isFactorRequiredElsewhere(tx, person.userId, person.home.merchantId))
    throw new Refusal('enrolment_elsewhere');
}
