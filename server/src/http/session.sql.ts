import { createHash } from 'node:crypto';
import { permsOf, type Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { Person } from '#caller.ts';
import type { Tx } from '#db/database.ts';

/** A last-seen time younger than this is not written again. */
const touchAfterSeconds = 60;

/** Sessions are stored under a hash of their id. */
function hashSessionId(sessionId: string): Buffer {
  return createHash('sha256').update(sessionId).digest();
}

export interface FoundSession {
  person: Person;
  /** The last-seen time is old enough to be written again. */
  isStale: boolean;
}

/** The live session with this id, its user and merchant; undefined where it has ended or never was. */
export async function findSession(tx: Tx, sessionId: string): Promise<FoundSession | undefined> {
  const row = await tx.prepared
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .innerJoin('merchant as m', 'm.id', 's.merchant_id')
    .select(['u.id as user_id', 'u.email', 'u.name', 'u.roles', 'm.id as merchant_id'])
    .select(['m.code', 'm.name as merchant_name', 'm.home_currency', 'm.zone'])
    .select(sql<boolean>`s.last_seen_at < now() - ${touchAfterSeconds} * interval '1 second'`.as('is_stale'))
    .where('s.id_hash', '=', hashSessionId(sessionId))
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`s.last_seen_at + s.idle_seconds * interval '1 second' > now()`)
    .where('u.disabled_at', 'is', null)
    .where('m.suspended_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const home = {
    merchantId: row.merchant_id,
    code: row.code,
    name: row.merchant_name,
    currency: row.home_currency,
    zone: row.zone,
  };
  const roles: Role[] = row.roles;
  const { user_id: userId, email, name } = row;
  return {
    person: { kind: 'person', userId, email, name, roles, perms: permsOf(roles), home, sessionId },
    isStale: row.is_stale,
  };
}

/** Notes that a session was used. */
export async function touchSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.query
    .updateTable('session')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('id_hash', '=', hashSessionId(sessionId))
    .execute();
}

export interface NewSession {
  sessionId: string;
  merchantId: bigint;
  userId: bigint;
  idleSeconds: number;
  longestSeconds: number;
  address: string;
  userAgent: string | undefined;
}

/** Opens a session. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.query
    .insertInto('session')
    .values({
      id_hash: hashSessionId(session.sessionId),
      merchant_id: session.merchantId,
      user_id: session.userId,
      idle_seconds: session.idleSeconds,
      expires_at: sql<Date>`now() + ${session.longestSeconds} * interval '1 second'`,
      address: session.address,
      user_agent: session.userAgent?.slice(0, 400) ?? null,
    })
    .execute();
}

/** Ends a session. */
export async function deleteSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.query.deleteFrom('session').where('id_hash', '=', hashSessionId(sessionId)).execute();
}

/** Removes sessions that have ended; returns how many. */
export async function deleteEndedSessions(tx: Tx): Promise<number> {
  const result = await tx.query
    .deleteFrom('session')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<', sql<Date>`now()`),
        eb(sql<Date>`last_seen_at + idle_seconds * interval '1 second'`, '<', sql<Date>`now()`),
      ]),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
