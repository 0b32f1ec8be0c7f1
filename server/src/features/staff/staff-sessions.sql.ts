import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import { hashSessionId } from '#http/session.rules.ts';

/** Changes of our staff belong to no merchant. */
const ofService = 0n;
/** Rows that one statement of the sweep deletes, so that it blocks nobody for long. */
const defaultSweptAtOnce = 5000;

export interface NewStaffSession {
  sessionId: string;
  staffId: bigint;
  idleSeconds: number;
  longestSeconds: number;
  address: string;
  userAgent: string | undefined;
}

/** Opens a session that has passed no second factor yet. */
export async function insertStaffSession(tx: Tx, session: NewStaffSession): Promise<void> {
  await tx.query
    .insertInto('staff_session')
    .values({
      id_hash: hashSessionId(session.sessionId),
      staff_id: session.staffId,
      idle_seconds: session.idleSeconds,
      expires_at: sql<Date>`now() + ${session.longestSeconds} * interval '1 second'`,
      address: session.address,
      user_agent: session.userAgent?.slice(0, 400) ?? null,
    })
    .execute();
}

/**
 * Gives a session that has passed its second factor a new id, and its full lifetime. Throws `unauthenticated` if it has ended
 * meanwhile, which rolls back what it has passed.
 */
export async function raiseStaffSession(
  tx: Tx,
  sessionId: string,
  newSessionId: string,
  { idleSeconds, longestSeconds }: Pick<NewStaffSession, 'idleSeconds' | 'longestSeconds'>,
): Promise<void> {
  const result = await tx.query
    .updateTable('staff_session')
    .set({
      id_hash: hashSessionId(newSessionId),
      factor_passed_at: sql<Date>`now()`,
      pending_secret: null,
      idle_seconds: idleSeconds,
      expires_at: sql<Date>`now() + ${longestSeconds} * interval '1 second'`,
      last_seen_at: sql<Date>`now()`,
    })
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Refusal('unauthenticated');
}

/** Gives a session a new id. Throws `unauthenticated` if it has ended meanwhile. */
export async function renewStaffSession(tx: Tx, sessionId: string, newSessionId: string): Promise<void> {
  const result = await tx.query
    .updateTable('staff_session')
    .set({ id_hash: hashSessionId(newSessionId) })
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Refusal('unauthenticated');
}

/** Keeps the encrypted secret that a session is binding, unless it has one already; returns the one it has. */
export async function putPendingSecret(
  tx: Tx,
  sessionId: string,
  secret: Buffer,
): Promise<Buffer | undefined> {
  const row = await tx.query
    .updateTable('staff_session')
    .set({ pending_secret: sql<Buffer>`coalesce(pending_secret, ${secret}::bytea)` })
    .where('id_hash', '=', hashSessionId(sessionId))
    .returning('pending_secret')
    .executeTakeFirst();
  return row?.pending_secret ?? undefined;
}

export async function findPendingSecret(tx: Tx, sessionId: string): Promise<Buffer | undefined> {
  const row = await tx.query
    .selectFrom('staff_session')
    .select('pending_secret')
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  return row?.pending_secret ?? undefined;
}

/** A session in the list of its owner. */
export interface ListedSession {
  id: string;
  isCurrent: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  address: string | null;
  userAgent: string | null;
}

/** Lists the live sessions of a member of our staff, the current one first. */
export async function listStaffSessions(
  tx: Tx,
  staffId: bigint,
  sessionId: string,
): Promise<ListedSession[]> {
  const isCurrent = sql<boolean>`id_hash = ${hashSessionId(sessionId)}`;
  return tx.query
    .selectFrom('staff_session')
    .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'user_agent as userAgent'])
    .select(sql<string | null>`host(address)`.as('address'))
    .select(isCurrent.as('isCurrent'))
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`last_seen_at + idle_seconds * interval '1 second' > now()`)
    .orderBy(isCurrent, 'desc')
    .orderBy('last_seen_at', 'desc')
    .execute();
}

/** Ends sessions of a member of our staff: one, all but one, or all. Returns how many; open screens notice at once. */
export async function endStaffSessions(
  tx: Tx,
  staffId: bigint,
  which: { id?: string; sessionId?: string; exceptSessionId?: string } = {},
): Promise<number> {
  const { id, sessionId, exceptSessionId } = which;
  const ended = await tx.query
    .deleteFrom('staff_session')
    .where('staff_id', '=', staffId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(sessionId !== undefined, (query) => query.where('id_hash', '=', hashSessionId(sessionId ?? '')))
    .$if(exceptSessionId !== undefined, (query) =>
      query.where('id_hash', '!=', hashSessionId(exceptSessionId ?? '')),
    )
    .executeTakeFirst();
  tx.changed(ofService, `staff:${staffId}`);
  return Number(ended.numDeletedRows);
}

/** Ends the session with this secret id, whoever it belongs to. Returns its owner; open screens notice at once. */
export async function endSessionOfAnyone(tx: Tx, sessionId: string): Promise<bigint | undefined> {
  const row = await tx.query
    .deleteFrom('staff_session')
    .where('id_hash', '=', hashSessionId(sessionId))
    .returning('staff_id')
    .executeTakeFirst();
  if (row) tx.changed(ofService, `staff:${row.staff_id}`);
  return row?.staff_id;
}

/** Deletes ended sessions and expired counts of attempts. Returns whether there may be more. */
export async function deleteEndedStaffSessions(tx: Tx, sweptAtOnce = defaultSweptAtOnce): Promise<boolean> {
  const deleted = await Promise.all(
    [
      sql`delete from staff_session where id_hash = any(array(
        select id_hash from staff_session
        where expires_at < now() or last_seen_at + idle_seconds * interval '1 second' < now()
        limit ${sweptAtOnce} for update skip locked))`,
      sql`delete from staff_throttle where key = any(array(
        select key from staff_throttle where expires_at < now() and (blocked_until is null or blocked_until < now())
        order by expires_at limit ${sweptAtOnce} for update skip locked))`,
    ].map((statement) => statement.execute(tx.query)),
  );
  return deleted.some(({ numAffectedRows }) => Number(numAffectedRows) >= sweptAtOnce);
}
