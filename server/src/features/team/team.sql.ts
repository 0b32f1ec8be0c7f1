import type { OwnPerms, Perm, RoleCode } from '@hengfu/contract/permissions';
import type { MemberState } from '@hengfu/contract/team';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { ownPermsOf, withPerms } from '#domain/own-roles.sql.ts';

/** A person who works for a merchant. */
export interface Member {
  id: bigint;
  name: string;
  email: string;
  roles: RoleCode[];
  /** The permissions that these roles grant now. */
  perms: Perm[];
  state: MemberState;
  /** Suspended by the merchant, whether or not the service has blocked the person, too. */
  isSuspended: boolean;
  hasTwoFactor: boolean;
  joinedAt: Date;
  lastSignInAt: Date | null;
}

/** Lists the members of a merchant by name, without those who were removed. */
export function listMembers(tx: Tx, merchantId: bigint): Promise<Member[]> {
  const lastSignInAt = sql`(
    select e.at from access_event e where e.merchant_id = p.merchant_id and e.user_id = p.user_id
    and e.action in ('session_sign_in', 'session_switch') order by e.at desc limit 1)`;
  return selectMembers(tx, merchantId, sql`true`, lastSignInAt);
}

/** Finds a member of a merchant, without the last sign-in. */
export async function findMember(tx: Tx, merchantId: bigint, userId: bigint): Promise<Member | undefined> {
  const [member] = await selectMembers(tx, merchantId, sql`u.id = ${userId}`, sql`null::timestamptz`);
  return member;
}

async function selectMembers(
  tx: Tx,
  merchantId: bigint,
  where: RawBuilder<unknown>,
  lastSignInAt: RawBuilder<unknown>,
): Promise<Member[]> {
  const { rows } = await sql<Omit<Member, 'perms'> & { ownPerms: OwnPerms | null }>`
    select u.id, u.name, u.email, p.roles, ${ownPermsOf('p')} as "ownPerms", p.created_at as "joinedAt",
      case when u.disabled_at is not null then 'blocked' when p.disabled_at is not null then 'suspended' else 'active' end
        as state, p.disabled_at is not null as "isSuspended",
      u.two_factor_confirmed_at is not null or exists (select from passkey k where k.user_id = u.id) as "hasTwoFactor",
      ${lastSignInAt} as "lastSignInAt"
    from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${merchantId} and p.removed_at is null and ${where}
    order by u.name, u.id`.execute(tx.query);
  return rows.map(withPerms);
}

/** Whether a merchant has an active owner besides this person. */
export async function hasOtherOwner(tx: Tx, merchantId: bigint, userId: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${merchantId} and p.user_id <> ${userId} and 'ROOT' = any (p.roles)
      and p.disabled_at is null and u.disabled_at is null limit 1`.execute(tx.query);
  return rows.length > 0;
}

/** Replaces a member's roles. */
export async function updateRoles(
  tx: Tx,
  merchantId: bigint,
  userId: bigint,
  given: readonly RoleCode[],
): Promise<void> {
  await tx.query
    .updateTable('membership')
    .set({ roles: [...given] })
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', userId)
    .execute();
}

/** Suspends, reactivates or removes a member. */
export async function updateState(
  tx: Tx,
  merchantId: bigint,
  userId: bigint,
  state: 'active' | 'suspended' | 'removed',
): Promise<void> {
  const now = sql<Date>`now()`;
  await tx.query
    .updateTable('membership')
    .set({
      disabled_at: state === 'active' ? null : now,
      ...(state === 'removed' && { removed_at: now }),
    })
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Makes a person a member, or a removed one a member again. Returns false if the person is one already, active or
 * suspended.
 */
export async function addMember(
  tx: Tx,
  merchantId: bigint,
  userId: bigint,
  given: readonly RoleCode[],
): Promise<boolean> {
  const result = await tx.query
    .insertInto('membership')
    .values({ merchant_id: merchantId, user_id: userId, roles: [...given] })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'user_id'])
        .doUpdateSet({
          roles: [...given],
          disabled_at: null,
          removed_at: null,
          created_at: sql<Date>`now()`,
        })
        .where('membership.removed_at', 'is not', null),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
