import type { StaffRole } from '@hengfu/contract/staff/permissions';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { hasFactorOf } from '#http/staff-session.sql.ts';

/** An account of our staff, with what a sign-in checks. */
export interface StaffAccount {
  id: bigint;
  email: string;
  passwordHash: string;
  factorSecret: Buffer | null;
  /** An app or a passkey is bound. */
  hasFactor: boolean;
  factorStep: bigint | null;
  /** The database's clock. */
  now: Date;
}

/** Finds an active account by its email (already lower-cased); `isHeld` locks it until the transaction ends. */
export async function findAccount(
  tx: Tx,
  by: { email: string } | { id: bigint },
  { isHeld = false } = {},
): Promise<StaffAccount | undefined> {
  const row = await tx.query
    .selectFrom('staff_user')
    .select(['id', 'email', 'password_hash', 'factor_secret', 'factor_step'])
    .select(sql<Date>`now()`.as('now'))
    .select(hasFactorOf('staff_user').as('has_factor'))
    .$if('email' in by, (query) => query.where('email', '=', 'email' in by ? by.email : ''))
    .$if('id' in by, (query) => query.where('id', '=', 'id' in by ? by.id : 0n))
    .where('disabled_at', 'is', null)
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      email: row.email,
      passwordHash: row.password_hash,
      factorSecret: row.factor_secret,
      hasFactor: row.has_factor,
      factorStep: row.factor_step,
      now: row.now,
    }
  );
}

/** Keeps the secret of a bound app, or the last time step that it has used up. */
export async function saveFactor(
  tx: Tx,
  id: bigint,
  factor: { secret?: Buffer; step: bigint },
): Promise<void> {
  await tx.query
    .updateTable('staff_user')
    .set({ factor_step: factor.step, ...(factor.secret && { factor_secret: factor.secret }) })
    .where('id', '=', id)
    .execute();
}

export async function setLanguage(tx: Tx, id: bigint, language: 'zh-cn' | 'en' | 'vi'): Promise<void> {
  await tx.query.updateTable('staff_user').set({ language }).where('id', '=', id).execute();
}

export interface NewStaff {
  email: string;
  name: string;
  roles: readonly StaffRole[];
  passwordHash: string;
}

/** Adds an account; returns its ID, or undefined if the email is in use. */
export async function insertAccount(
  tx: Tx,
  { email, name, roles, passwordHash }: NewStaff,
): Promise<bigint | undefined> {
  const row = await tx.query
    .insertInto('staff_user')
    .values({ email, name, roles: [...roles], password_hash: passwordHash })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** An account as operators see it. */
export interface ListedStaff {
  id: bigint;
  email: string;
  name: string;
  roles: StaffRole[];
  hasFactor: boolean;
  disabledAt: Date | null;
}

/** Whether there are merchants other than those with some codes. */
export async function hasOtherMerchants(tx: Tx, codes: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from staff_merchant where mode = 'live' and code <> all(${[...codes]}::text[]) limit 1`.execute(
    tx.query,
  );
  return rows.length > 0;
}

/** Lists all accounts; given an email, only that one. */
export async function listAccounts(tx: Tx, email?: string): Promise<ListedStaff[]> {
  const rows = await tx.query
    .selectFrom('staff_user')
    .select(['id', 'email', 'name', 'roles', 'disabled_at'])
    .select(hasFactorOf('staff_user').as('has_factor'))
    .$if(email !== undefined, (query) => query.where('email', '=', email ?? ''))
    .orderBy('id')
    .execute();
  return rows.map(({ has_factor: hasFactor, disabled_at: disabledAt, ...row }) => ({
    ...row,
    hasFactor,
    disabledAt,
  }));
}

/** Disables an account or enables it again; false if it already was. */
export async function setDisabled(tx: Tx, id: bigint, isDisabled: boolean): Promise<boolean> {
  const result = await tx.query
    .updateTable('staff_user')
    .set({ disabled_at: isDisabled ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .where('disabled_at', isDisabled ? 'is' : 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Replaces a password; false if it is no longer the one that was checked, or the account is disabled. */
export async function setPassword(
  tx: Tx,
  id: bigint,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const result = await tx.query
    .updateTable('staff_user')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Removes the second factors and sets another password. */
export async function resetAccount(tx: Tx, id: bigint, passwordHash: string): Promise<void> {
  await tx.query
    .updateTable('staff_user')
    .set({ password_hash: passwordHash, factor_secret: null, factor_step: null })
    .where('id', '=', id)
    .execute();
  await tx.query.deleteFrom('staff_passkey').where('staff_id', '=', id).execute();
}

export async function setRoles(tx: Tx, id: bigint, roles: readonly StaffRole[]): Promise<void> {
  await tx.query
    .updateTable('staff_user')
    .set({ roles: [...roles] })
    .where('id', '=', id)
    .execute();
}

/** Keeps when somebody first signed in. */
export async function markSignedIn(tx: Tx, id: bigint): Promise<void> {
  await tx.query
    .updateTable('staff_user')
    .set({ signed_in_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('signed_in_at', 'is', null)
    .execute();
}

/**
 * Lists the emails of the administrators who can do something: they are active, have signed in before, and have bound the second factor if one is
 * required. Accounts must be locked.
 */
export async function listUsableAdmins(
  tx: Tx,
  { isFactorRequired }: { isFactorRequired: boolean },
): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('staff_user')
    .select('email')
    .where('disabled_at', 'is', null)
    .where('signed_in_at', 'is not', null)
    .$if(isFactorRequired, (query) => query.where('factor_secret', 'is not', null))
    .where(sql<boolean>`'ADMIN' = any(roles)`)
    .execute();
  return rows.map(({ email }) => email);
}
