import type { Tx } from '#db/database.ts';

/** A new account, whose holder signs in with email and password. */
export interface NewAccount {
  email: string;
  name: string;
  passwordHash: string;
  paymentPasswordHash?: string | null;
}

/** Creates an account; returns its ID, or undefined if the email is taken. */
export async function insertAccount(
  tx: Tx,
  { email, name, passwordHash, paymentPasswordHash = null }: NewAccount,
): Promise<bigint | undefined> {
  const row = await tx.query
    .insertInto('app_user')
    .values({ email, name, password_hash: passwordHash, payment_password_hash: paymentPasswordHash })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Locks an account until the transaction ends, so that changes to one person's access run one after the other, and no sign-in is
 * completed meanwhile.
 */
export async function lockAccount(tx: Tx, userId: bigint): Promise<void> {
  await tx.query.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute();
}

/** Holds an account as it is until the transaction ends: neither its password nor a second factor can change meanwhile. */
export async function holdAccount(tx: Tx, userId: bigint): Promise<void> {
  await tx.query.selectFrom('app_user').select('id').where('id', '=', userId).forShare().execute();
}
