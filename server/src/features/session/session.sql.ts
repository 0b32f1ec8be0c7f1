import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { hashUnlockCode } from '#http/session.rules.ts';

export interface SignInUser {
  id: bigint;
  merchantId: bigint;
  passwordHash: string;
  hasTwoFactor: boolean;
}

/** The user who signs in with an email (lower-cased before). */
export async function findUserByEmail(tx: Tx, email: string): Promise<SignInUser | undefined> {
  const row = await tx.query
    .selectFrom('app_user as u')
    .innerJoin('merchant as m', 'm.id', 'u.merchant_id')
    .select(['u.id', 'u.merchant_id', 'u.password_hash'])
    .select(
      sql<boolean>`u.two_factor_confirmed_at is not null or exists (select from passkey where user_id = u.id)`.as(
        'has_two_factor',
      ),
    )
    .where('u.email', '=', email)
    .where('u.disabled_at', 'is', null)
    .where('m.suspended_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      merchantId: row.merchant_id,
      passwordHash: row.password_hash,
      hasTwoFactor: row.has_two_factor,
    }
  );
}

/** Whether a code opens the locked account with an email. */
export async function isUnlockCode(tx: Tx, email: string, code: string): Promise<boolean> {
  const row = await tx.query
    .selectFrom('unlock_code as c')
    .innerJoin('app_user as u', 'u.id', 'c.user_id')
    .select('u.id')
    .where('u.email', '=', email)
    .where('c.code_hash', '=', hashUnlockCode(code))
    .where('c.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a user's unlock code; false where another request was faster. */
export async function takeUnlockCode(tx: Tx, userId: bigint, code: string): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('unlock_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashUnlockCode(code))
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
