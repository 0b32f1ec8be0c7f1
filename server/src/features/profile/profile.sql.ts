import { type Profile, securityActions } from '@hengfu/contract/profile';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { hashSessionId } from '#http/session.rules.ts';

/** Whose profile it is. */
export interface Owner {
  merchantId: bigint;
  userId: bigint;
}

/** The hash of a user's login password. */
export async function readPasswordHash(tx: Tx, { merchantId, userId }: Owner): Promise<string | undefined> {
  const row = await tx.query
    .selectFrom('app_user')
    .select('password_hash')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.password_hash;
}

/** Holds a user's row until the transaction ends: changes of one person's access run one after the other. */
export async function holdUser(tx: Tx, { merchantId, userId }: Owner): Promise<void> {
  await tx.query
    .selectFrom('app_user')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', userId)
    .forUpdate()
    .execute();
}

/** Changes what is given of name, email, zone and language; false where somebody else has the email. */
export async function updateProfile(
  tx: Tx,
  { merchantId, userId }: Owner,
  { name, email, zone, language }: Profile,
): Promise<boolean> {
  try {
    await tx.query
      .updateTable('app_user')
      .set({ name, email, ...(zone !== undefined && { zone }), ...(language !== undefined && { language }) })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', userId)
      .execute();
    return true;
  } catch (error) {
    if (databaseFault(error)?.constraint === 'app_user_email') return false;
    throw error;
  }
}

/** Changes the login password, if it still is the one that was looked at; false where it is not. */
export async function updatePassword(
  tx: Tx,
  { merchantId, userId }: Owner,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const result = await tx.query
    .updateTable('app_user')
    .set({ password_hash: to })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Seconds since a session's password was confirmed; undefined where it never was. */
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

/** Where a user is signed in, the last seen first. */
export async function listSessions(
  tx: Tx,
  { merchantId, userId }: Owner,
  sessionId: string,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, id_hash = ${hashSessionId(sessionId)} as "isCurrent", host(address) as address, user_agent as "userAgent",
      created_at as "createdAt", last_seen_at as "lastSeenAt"
    from session
    where merchant_id = ${merchantId} and user_id = ${userId} and expires_at > now()
      and last_seen_at + idle_seconds * interval '1 second' > now()
    order by last_seen_at desc, created_at desc`.execute(tx.query);
  return rows;
}

/** Ends one session of a user by its shown id, though not the present one; false where there is none. */
export async function deleteSessionById(
  tx: Tx,
  { merchantId, userId }: Owner,
  id: string,
  sessionId: string,
): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('session')
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', userId)
    .where(sql<boolean>`id::text = ${id}`)
    .where('id_hash', '!=', hashSessionId(sessionId))
    .executeTakeFirst();
  if (result.numDeletedRows !== 1n) return false;
  tx.changed(merchantId, `sessions:${userId}`);
  return true;
}

/** A line of the trail that tells of somebody's access. */
export interface SecurityEventRow {
  at: Date;
  action: (typeof securityActions)[number];
  address: string | null;
}

/** What a user's access went through, the newest first. */
export async function listSecurityEvents(tx: Tx, { merchantId, userId }: Owner): Promise<SecurityEventRow[]> {
  const who = `user:${userId}`;
  const { rows } = await sql<SecurityEventRow>`
    select at, replace(action, '.', '_') as action, host(address) as address from audit
    where merchant_id = ${merchantId} and (actor = ${who} or subject = ${who})
      and replace(action, '.', '_') = any(${[...securityActions]}::text[])
    order by at desc, id desc limit 50`.execute(tx.query);
  return rows;
}
