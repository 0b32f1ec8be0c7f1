import { type Profile, type SecurityAction, securityActions } from '@hengfu/contract/profile';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { hashSessionId } from '#http/session.rules.ts';

/** The owner of a profile. */
export interface Owner {
  merchantId: bigint;
  userId: bigint;
}

/** Reads the hash of a user's login password. */
export async function readPasswordHash(
  tx: Tx,
  { userId }: Pick<Owner, 'userId'>,
): Promise<string | undefined> {
  const row = await tx.query
    .selectFrom('app_user')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.password_hash;
}

/** Reads the email that a user signs in with, and locks the account until the transaction ends. */
export async function lockEmail(tx: Tx, { userId }: Pick<Owner, 'userId'>): Promise<string> {
  const { email } = await tx.query
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return email;
}

/** Updates the fields that are given; false if another user has the email. */
export async function updateProfile(
  tx: Tx,
  { userId }: Pick<Owner, 'userId'>,
  { name, email, zone, language }: Profile,
): Promise<boolean> {
  try {
    await tx.query
      .updateTable('app_user')
      .set({ name, email, ...(zone !== undefined && { zone }), ...(language !== undefined && { language }) })
      .where('id', '=', userId)
      .execute();
    return true;
  } catch (error) {
    if (databaseFault(error)?.constraint === 'app_user_email') return false;
    throw error;
  }
}

/** Replaces the login password if its hash is still `from`; false if it has changed. */
export async function updatePassword(
  tx: Tx,
  { userId }: Pick<Owner, 'userId'>,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const result = await tx.query
    .updateTable('app_user')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Returns the seconds since a session's password was confirmed; undefined if it never was. */
export async function secondsSinceConfirmed(tx: Tx, sessionId: string): Promise<number | undefined> {
  const row = await tx.query
    .selectFrom('session')
    .select(
      sql<number | null>`floor(extract(epoch from now() - password_confirmed_at))::integer`.as('seconds'),
    )
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  return row?.seconds ?? undefined;
}

/** A live session of a user. */
export interface SessionRow {
  id: string;
  isCurrent: boolean;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** Lists a user's live sessions, whatever merchants they work for, the last used first. */
export async function listSessions(tx: Tx, { userId }: Owner, sessionId: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, id_hash = ${hashSessionId(sessionId)} as "isCurrent", host(address) as address, user_agent as "userAgent",
      created_at as "createdAt", last_seen_at as "lastSeenAt"
    from session
    where user_id = ${userId} and expires_at > now()
      and last_seen_at + idle_seconds * interval '1 second' > now()
    order by last_seen_at desc, created_at desc`.execute(tx.query);
  return rows;
}

/** Ends one session of a user by its public id, but not the current one; false if there is none. */
export async function deleteSessionById(
  tx: Tx,
  { userId }: Owner,
  id: string,
  sessionId: string,
): Promise<boolean> {
  const ended = await tx.query
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where(sql<boolean>`id::text = ${id}`)
    .where('id_hash', '!=', hashSessionId(sessionId))
    .returning('merchant_id')
    .executeTakeFirst();
  if (!ended) return false;
  tx.changed(ended.merchant_id, `sessions:${userId}`);
  return true;
}

/** An event of a user's access. */
export interface SecurityEventRow {
  at: Date;
  action: SecurityAction;
  address: string | null;
}

/** Lists the latest 50 events of a user's access, newest first. */
export async function listSecurityEvents(tx: Tx, { merchantId, userId }: Owner): Promise<SecurityEventRow[]> {
  const { rows } = await sql<SecurityEventRow>`
    select at, action, host(address) as address from access_event
    where merchant_id = ${merchantId} and user_id = ${userId}
      -- Newer processes, which may run beside this one, may record others.
      and action = any(${[...securityActions]}::text[])
    order by at desc, id desc limit 50`.execute(tx.query);
  return rows;
}
