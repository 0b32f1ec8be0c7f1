import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { workplaceOf } from '#domain/workplaces.sql.ts';
import { hashStaffCode, unlockCodeTries } from '#http/session.rules.ts';

export interface SignInUser {
  id: bigint;
  merchantId: bigint;
  passwordHash: string;
  hasTwoFactor: boolean;
  /** The merchant requires a second factor. */
  isFactorRequired: boolean;
  /** The person works for several merchants, and has to choose one. `merchantId` is the one that is offered first. */
  mustChoose: boolean;
}

/** Finds the active user with an email (already lower-cased). */
export async function findUserByEmail(tx: Tx, email: string): Promise<SignInUser | undefined> {
  const row = await tx.query
    .selectFrom('app_user as u')
    .innerJoinLateral(workplaceOf('u.id'), (join) => join.onTrue())
    .select(['u.id', 'm.merchant_id', 'u.password_hash', 'm.requires_two_factor', 'm.is_one_of_several'])
    .select(
      sql<boolean>`u.two_factor_confirmed_at is not null or exists (select from passkey where user_id = u.id)`.as(
        'has_two_factor',
      ),
    )
    .where('u.email', '=', email)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      merchantId: row.merchant_id,
      passwordHash: row.password_hash,
      hasTwoFactor: row.has_two_factor,
      isFactorRequired: row.requires_two_factor,
      mustChoose: row.is_one_of_several,
    }
  );
}

/**
 * Counts an attempt with an account's unlock code before its password is checked, so that concurrent attempts
 * count too; false if the code is wrong, has expired, or has been tried too often.
 */
export async function countUnlockCode(tx: Tx, email: string, code: string): Promise<boolean> {
  const result = await tx.query
    .updateTable('unlock_code as c')
    .from('app_user as u')
    .set((eb) => ({ tries: eb('c.tries', '+', 1) }))
    .whereRef('u.id', '=', 'c.user_id')
    .where('u.email', '=', email)
    .where('c.code_hash', '=', hashStaffCode(code))
    .where('c.expires_at', '>', sql<Date>`now()`)
    .where('c.tries', '<', unlockCodeTries)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Uses up a user's unlock code; false if another request used it first. */
export async function takeUnlockCode(tx: Tx, userId: bigint, code: string): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('unlock_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashStaffCode(code))
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
