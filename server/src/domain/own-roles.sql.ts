import {
  type Grant,
  grantOf,
  isSharedRole,
  noGrant,
  type OwnPerms,
  type OwnRoleCode,
  type Perm,
  type RoleCode,
} from '@hengfu/contract/permissions';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { fieldRefusal } from './refusal.ts';

/**
 * The permissions of a merchant's own roles, by their codes, as JSON: those that a row's `roles` names. The alias is that of a membership
 * or an invitation. Null if there are none, as for nearly everybody.
 */
export function ownPermsOf(alias: string): RawBuilder<OwnPerms | null> {
  return sql<OwnPerms | null>`(
    select json_object_agg(own.code, own.perms) from own_role own
    where own.merchant_id = ${sql.ref(`${alias}.merchant_id`)} and own.code = any (${sql.ref(`${alias}.roles`)})
      and own.retired_at is null)`;
}

/** Whether a role of its merchant's own gives a membership a permission. */
export function ownRoleGrants(alias: string, perm: Perm): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from own_role own
    where own.merchant_id = ${sql.ref(`${alias}.merchant_id`)} and own.code = any (${sql.ref(`${alias}.roles`)})
      and own.retired_at is null and ${perm} = any (own.perms))`;
}

/** A row with roles, and the permissions of those that its merchant has made. */
interface RolesRow {
  roles: RoleCode[];
  ownPerms: OwnPerms | null;
}

/** Replaces what a query has read of own roles by the permissions that the row's roles grant. */
export function withPerms<R extends RolesRow>({
  ownPerms,
  ...row
}: R): Omit<R, 'ownPerms'> & { perms: Perm[] } {
  return { ...row, perms: [...grantOf(row.roles, ownPerms ?? {}).perms] };
}

/** Reads what the roles of a person at a merchant grant, whether or not the person may act now. */
export async function readGrantOf(tx: Tx, merchantId: bigint, userId: bigint): Promise<Grant> {
  const { rows } = await sql<RolesRow>`
    select p.roles, ${ownPermsOf('p')} as "ownPerms" from membership p
    where p.merchant_id = ${merchantId} and p.user_id = ${userId}`.execute(tx.query);
  return rows[0] ? withPerms(rows[0]) : noGrant;
}

/** One of a merchant's own roles, as it is now. */
export interface StoredRole {
  code: OwnRoleCode;
  name: string;
  description: string;
  perms: Perm[];
  version: number;
}

/** Lists a merchant's own roles, the oldest first. */
export async function listOwnRoles(tx: Tx, merchantId: bigint): Promise<StoredRole[]> {
  const { rows } = await sql<StoredRole>`
    select code, name, description, perms, version from own_role
    where merchant_id = ${merchantId} and retired_at is null order by created_at, code`.execute(tx.query);
  return rows;
}

/** Returns those of a merchant's own roles that are among some roles. */
export async function ownRolesAmong(
  tx: Tx,
  merchantId: bigint,
  given: readonly RoleCode[],
): Promise<StoredRole[]> {
  if (given.every(isSharedRole)) return [];
  return (await listOwnRoles(tx, merchantId)).filter(({ code }) => given.includes(code));
}

/**
 * Returns what roles grant at a merchant. Throws `validation_failed` on `roles` if one of them is neither a role that every merchant has nor one of
 * this merchant's own. A role may be changed or retired meanwhile unless the transaction holds the merchant's standing.
 */
export async function readGrant(tx: Tx, merchantId: bigint, given: readonly RoleCode[]): Promise<Grant> {
  const own = await ownRolesAmong(tx, merchantId, given);
  const known = new Set<string>(own.map(({ code }) => code));
  if (given.some((code) => !isSharedRole(code) && !known.has(code)))
    throw fieldRefusal('roles', 'validation.choice');
  return grantOf(given, Object.fromEntries(own.map(({ code, perms }) => [code, perms])));
}
