import type { Tx } from '#db/database.ts';

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
    .select(['u.id', 'u.merchant_id', 'u.password_hash', 'u.two_factor_confirmed_at'])
    .where('u.email', '=', email)
    .where('u.disabled_at', 'is', null)
    .where('m.suspended_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      merchantId: row.merchant_id,
      passwordHash: row.password_hash,
      hasTwoFactor: row.two_factor_confirmed_at !== null,
    }
  );
}
