import { enrolmentCodeHours } from '@hengfu/contract/authentication';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { unlockCodeSeconds } from '#http/session.rules.ts';

/** A user as the operator commands see it. */
export interface FoundUser {
  id: bigint;
  merchantId: bigint;
  email: string;
  hasFactor: boolean;
  /** A merchant that the user works for requires a second factor. */
  isFactorRequired: boolean;
}

/**
 * Finds the user with an email (already lower-cased) and locks its row until the transaction ends. The merchant is the one
 * that the user is offered first when signing in; if there is none, the user's oldest.
 */
export async function lockUser(tx: Tx, email: string): Promise<FoundUser | undefined> {
  const row = await tx.query
    .selectFrom('app_user as u')
    .innerJoin('membership as p', 'p.user_id', 'u.id')
    .innerJoin('merchant as m', 'm.id', 'p.merchant_id')
    .select(['u.id', 'p.merchant_id', 'u.email'])
    .select(
      sql<boolean>`exists (
        select from membership o join merchant om on om.id = o.merchant_id
        where o.user_id = u.id and o.removed_at is null and om.requires_two_factor)`.as('is_factor_required'),
    )
    .select(
      sql<boolean>`u.two_factor_confirmed_at is not null or exists (select from passkey where user_id = u.id)`.as(
        'has_factor',
      ),
    )
    .where('u.email', '=', email)
    .where('m.mode', '=', 'live')
    .orderBy(sql`p.disabled_at is not null or m.suspended_at is not null`)
    .orderBy(sql`coalesce(p.merchant_id = u.last_merchant_id, false) desc`)
    .orderBy('p.created_at')
    .orderBy('p.merchant_id')
    .forUpdate('u')
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      merchantId: row.merchant_id,
      email: row.email,
      hasFactor: row.has_factor,
      isFactorRequired: row.is_factor_required,
    }
  );
}

/** Replaces a user's login password, and removes the payment password and any unlock code. */
export async function replacePasswords(tx: Tx, { id }: FoundUser, passwordHash: string): Promise<void> {
  await tx.query
    .updateTable('app_user')
    .set({ password_hash: passwordHash, payment_password_hash: null })
    .where('id', '=', id)
    .execute();
  await tx.query.deleteFrom('unlock_code').where('user_id', '=', id).execute();
}

/**
 * Finds the present email of the only account that had an email (already lower-cased) before, by the audit trail; months that were
 * archived are not searched. Returns undefined if an account has it now, or if none or several had it.
 */
export async function findEmailSince(tx: Tx, email: string): Promise<string | undefined> {
  const { rows: owners } = await sql<{ id: bigint }>`
    select distinct substr(actor, 6)::bigint as id from audit
    where action in ('email.change', 'profile.update') and actor like 'user:%'
      and before ->> 'email' = ${email} and after ->> 'email' <> ${email}
      and not exists (select from app_user where email = ${email})
    limit 2`.execute(tx.query);
  const [owner] = owners;
  if (!owner || owners.length > 1) return undefined;
  const row = await tx.query
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', owner.id)
    .executeTakeFirst();
  return row?.email;
}

/** Removes all of a user's second factors and the recovery codes. */
export async function clearSecondFactors(tx: Tx, { id }: FoundUser): Promise<void> {
  await tx.query
    .updateTable('app_user')
    .set({
      two_factor_secret: null,
      two_factor_confirmed_at: null,
      two_factor_last_step: null,
      recovery_codes: null,
    })
    .where('id', '=', id)
    .execute();
  await tx.query.deleteFrom('passkey').where('user_id', '=', id).execute();
}

/** Stores the hash of an enrollment code, replacing any earlier code. */
export async function putEnrolmentCode(
  tx: Tx,
  { id }: Pick<FoundUser, 'id'>,
  codeHash: Buffer,
): Promise<void> {
  const expires_at = sql<Date>`now() + ${enrolmentCodeHours} * interval '1 hour'`;
  await tx.query
    .insertInto('enrolment_code')
    .values({ user_id: id, code_hash: codeHash, expires_at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ code_hash: codeHash, expires_at }))
    .execute();
}

/** Stores the hash of an unlock code, replacing any earlier code. */
export async function putUnlockCode(tx: Tx, { id }: FoundUser, codeHash: Buffer): Promise<void> {
  const expires_at = sql<Date>`now() + ${unlockCodeSeconds} * interval '1 second'`;
  await tx.query
    .insertInto('unlock_code')
    .values({ user_id: id, code_hash: codeHash, expires_at })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ code_hash: codeHash, expires_at, tries: 0 }),
    )
    .execute();
}
