import { staffPermsOf } from '@hengfu/contract/staff/permissions';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { StaffMember } from '#domain/caller.ts';
import { hashSessionId, staffLevelOf } from './session.rules.ts';

/** A last-seen time younger than this is not updated. */
const touchAfterSeconds = 60;

export interface FoundStaffSession {
  member: StaffMember;
  /** The last-seen time is old enough to be updated. */
  isStale: boolean;
}

/** Whether an account of our staff, by its alias, has a passkey. */
function hasPasskeyOf(alias: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from staff_passkey k where k.staff_id = ${sql.ref(`${alias}.id`)})`;
}

/** Whether an account of our staff, by its alias, has a second factor: an app or a passkey. */
export function hasFactorOf(alias: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${alias}.factor_secret`)} is not null or ${hasPasskeyOf(alias)})`;
}

/** Returns the live session with this id, with its owner; undefined if there is none. */
export async function findStaffSession(
  tx: Tx,
  sessionId: string,
  isFactorRequired: boolean,
): Promise<FoundStaffSession | undefined> {
  const row = await tx.prepared
    .selectFrom('staff_session as s')
    .innerJoin('staff_user as u', 'u.id', 's.staff_id')
    .select(['u.id', 'u.email', 'u.name', 'u.roles', 'u.language', 's.factor_passed_at'])
    .select(hasFactorOf('u').as('has_factor'))
    .select(hasPasskeyOf('u').as('has_passkey'))
    .select(sql<boolean>`s.last_seen_at < now() - ${touchAfterSeconds} * interval '1 second'`.as('is_stale'))
    .where('s.id_hash', '=', hashSessionId(sessionId))
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`s.last_seen_at + s.idle_seconds * interval '1 second' > now()`)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id: staffId, email, name, roles, language } = row;
  const { has_factor: hasFactor, has_passkey: hasPasskey } = row;
  const level = staffLevelOf({ hasFactor, isFactorRequired, hasPassed: row.factor_passed_at !== null });
  const perms = staffPermsOf(roles);
  return {
    member: {
      kind: 'staff',
      staffId,
      email,
      name,
      roles,
      perms,
      sessionId,
      language,
      level,
      hasFactor,
      hasPasskey,
    },
    isStale: row.is_stale,
  };
}

/** Updates the last-seen time of a session. */
export async function touchStaffSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.query
    .updateTable('staff_session')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('id_hash', '=', hashSessionId(sessionId))
    .execute();
}
