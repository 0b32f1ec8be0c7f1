import { bindingSeconds, type SecondFactor } from '@hengfu/contract/authentication';
import { passkeySeconds } from '@hengfu/contract/passkeys';
import { permsIn, permsOf } from '@hengfu/contract/permissions';
import { passwordConfirmedSeconds } from '@hengfu/contract/profile';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { ownPermsOf } from '#domain/own-roles.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { deletePendingOf } from './pending-sign-in.sql.ts';
import { hashSessionId, levelOf, pendingSeconds } from './session.rules.ts';

/** A last-seen time younger than this is not updated. */
const touchAfterSeconds = 60;

export interface FoundSession {
  person: Person;
  /** The last-seen time is old enough to be updated. */
  isStale: boolean;
}

/** Whether the merchant `m` has a test merchant, or is one. */
const hasTwin = sql<boolean>`m.mode = 'test' or exists (
  select from merchant t where t.live_merchant_id = m.id and t.retired_at is null)`;
/** Whether the person `u` works for others than the merchant `m`; its test merchant is none of them. */
const hasOthers = sql<boolean>`exists (
  select from membership o join merchant om on om.id = o.merchant_id and om.mode = 'live'
  where o.user_id = u.id and o.merchant_id <> coalesce(m.live_merchant_id, m.id) and o.disabled_at is null)`;

/** Returns the live session with this id, with its user and merchant; undefined if there is none. */
export async function findSession(tx: Tx, sessionId: string): Promise<FoundSession | undefined> {
  const row = await tx.prepared
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .innerJoin('merchant as m', 'm.id', 's.merchant_id')
    .innerJoin('membership as p', (join) =>
      join.onRef('p.merchant_id', '=', 's.merchant_id').onRef('p.user_id', '=', 's.user_id'),
    )
    .select(['u.id as user_id', 'u.email', 'u.name', 'p.roles', 'm.id as merchant_id'])
    .select(ownPermsOf('p').as('own_perms'))
    .select(['m.code', 'm.name as merchant_name', 'm.home_currency', 'm.zone', 'm.mode'])
    .select([hasTwin.as('has_twin'), hasOthers.as('has_others')])
    .select(['u.two_factor_confirmed_at', 'm.requires_two_factor', 'u.zone as own_zone', 'u.language'])
    .select(['s.created_at as authenticated_at', 's.second_factor', 's.second_factor_at'])
    .select(['s.is_invited', 's.is_chosen'])
    .select(sql<boolean>`exists (select from passkey where user_id = u.id)`.as('has_passkey'))
    .select(
      sql<boolean>`coalesce(s.password_confirmed_at > now() - ${passwordConfirmedSeconds} * interval '1 second', false)`.as(
        'is_confirmed',
      ),
    )
    .select(sql<boolean>`s.last_seen_at < now() - ${touchAfterSeconds} * interval '1 second'`.as('is_stale'))
    .where('s.id_hash', '=', hashSessionId(sessionId))
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`s.last_seen_at + s.idle_seconds * interval '1 second' > now()`)
    .where('u.disabled_at', 'is', null)
    .where('p.disabled_at', 'is', null)
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
  const { user_id: userId, email, name, roles } = row;
  const unbound = row.requires_two_factor ? 'required' : 'off';
  const passed =
    row.second_factor && row.second_factor_at
      ? { factor: row.second_factor, at: row.second_factor_at }
      : null;
  const factors = factorsOf(row);
  return {
    person: {
      kind: 'person',
      userId,
      email,
      name,
      roles,
      perms: permsIn(row.mode, permsOf(roles, row.own_perms ?? {})),
      home,
      sessionId,
      ownZone: row.own_zone,
      language: row.language,
      factors,
      twoFactor: factors.length > 0 ? 'on' : unbound,
      authenticatedAt: row.authenticated_at,
      passed,
      level: levelOf({
        hasFactor: factors.length > 0,
        isFactorRequired: row.requires_two_factor,
        hasPassed: passed !== null,
        isChosen: row.is_chosen,
      }),
      isPasswordConfirmed: row.is_confirmed,
      isInvited: row.is_invited,
      isChosen: row.is_chosen,
      hasOtherMerchants: row.has_others,
      mode: row.mode,
      hasTwin: row.has_twin,
    },
    isStale: row.is_stale,
  };
}

/** Returns the second factors that a person has bound. */
function factorsOf(row: { two_factor_confirmed_at: Date | null; has_passkey: boolean }): Person['factors'] {
  return [
    ...(row.two_factor_confirmed_at ? (['app'] as const) : []),
    ...(row.has_passkey ? (['passkey'] as const) : []),
  ];
}

/** Updates the last-seen time of a session. */
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
  /** The second factor that was passed to open it; null if the password was enough. */
  secondFactor: SecondFactor | null;
  /** An invitation opened it, and no other merchant of the user requires a second factor. */
  isInvited?: boolean;
  /** The merchant is chosen; otherwise the person has to choose one of several first. */
  isChosen: boolean;
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
      second_factor: session.secondFactor,
      second_factor_at: session.secondFactor && sql<Date>`now()`,
      is_invited: session.isInvited ?? false,
      is_chosen: session.isChosen,
    })
    .execute();
}

/** The checks that a session has just passed. */
export interface PassedChecks {
  /** The login password was entered again. */
  isConfirmed?: boolean;
  secondFactor?: SecondFactor | undefined;
}

/**
 * Gives a session a new id; the old one stops working at once. Returns false if it had already stopped,
 * because another request renewed or ended the session.
 */
export async function renewSession(
  tx: Tx,
  sessionId: string,
  newSessionId: string,
  { isConfirmed = false, secondFactor }: PassedChecks = {},
): Promise<boolean> {
  const result = await tx.query
    .updateTable('session')
    .set({
      id_hash: hashSessionId(newSessionId),
      ...(isConfirmed && { password_confirmed_at: sql<Date>`now()` }),
      ...(secondFactor && { second_factor: secondFactor, second_factor_at: sql<Date>`now()` }),
    })
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Ends everything that an old password or factor opened (other sessions, pending sign-ins), and continues
 * this session under a new id. Call it after every change of a password or factor, with the user's row
 * locked, so that no sign-in slips in between. Throws `unauthenticated` if this session has ended meanwhile,
 * which rolls the change back.
 */
export async function keepOnlySession(
  tx: Tx,
  { userId, sessionId }: { userId: bigint; sessionId: string },
  newSessionId: string,
  passed: PassedChecks = {},
): Promise<void> {
  await endOtherAccess(tx, userId, sessionId);
  if (!(await renewSession(tx, sessionId, newSessionId, passed))) throw new Refusal('unauthenticated');
}

/**
 * Throws `unauthenticated` if a session has ended since its call was admitted. Call it with the user's row
 * locked: changes of a password or factor end the other sessions under that lock.
 */
export async function assertOpen(tx: Tx, sessionId: string): Promise<void> {
  const row = await tx.query
    .selectFrom('session')
    .select('id')
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  if (!row) throw new Refusal('unauthenticated');
}

/** Ends every session of a user but one, and all pending sign-ins. */
export async function endOtherAccess(tx: Tx, userId: bigint, sessionId: string): Promise<void> {
  const ended = await tx.query
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id_hash', '!=', hashSessionId(sessionId))
    .returning(['merchant_id', 'user_id'])
    .execute();
  notifyStreams(tx, ended);
  await deletePendingOf(tx, userId);
}

/** Makes these users' event streams recheck their sessions, in every process. */
function notifyStreams(tx: Tx, ended: readonly { merchant_id: bigint; user_id: bigint }[]): void {
  for (const { merchant_id, user_id } of ended) tx.changed(merchant_id, `sessions:${user_id}`);
}

/** Ends every session of a user, or those at one merchant and its test merchant, and every pending sign-in. */
export async function deleteSessionsOf(tx: Tx, userId: bigint, merchantId?: bigint): Promise<void> {
  const ended = await tx.query
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .$if(merchantId !== undefined, (query) =>
      query.where(sql<boolean>`merchant_id = any (with_twin(${merchantId ?? 0n}))`),
    )
    .returning(['merchant_id', 'user_id'])
    .execute();
  notifyStreams(tx, ended);
  await deletePendingOf(tx, userId);
}

/** Ends a session. */
export async function deleteSession(tx: Tx, sessionId: string): Promise<void> {
  const ended = await tx.query
    .deleteFrom('session')
    .where('id_hash', '=', hashSessionId(sessionId))
    .returning(['merchant_id', 'user_id'])
    .execute();
  notifyStreams(tx, ended);
}

/** Deletes ended sessions, and expired sign-ins, challenges and codes; returns the number of sessions. */
export async function deleteEndedSessions(tx: Tx): Promise<number> {
  await tx.query
    .deleteFrom('pending_sign_in')
    .where('created_at', '<', sql<Date>`now() - ${pendingSeconds} * interval '1 second'`)
    .execute();
  await tx.query
    .deleteFrom('passkey_challenge')
    .where('created_at', '<', sql<Date>`now() - ${passkeySeconds} * interval '1 second'`)
    .execute();
  await tx.query.deleteFrom('unlock_code').where('expires_at', '<', sql<Date>`now()`).execute();
  await tx.query.deleteFrom('enrolment_code').where('expires_at', '<', sql<Date>`now()`).execute();
  await tx.query
    .deleteFrom('two_factor_binding')
    .where('created_at', '<', sql<Date>`now() - ${bindingSeconds} * interval '1 second'`)
    .execute();
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
