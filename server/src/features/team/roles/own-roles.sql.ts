import type { OwnRoleCode } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { RoleText } from '#domain/approvals.sql.ts';
import { nameKey } from './own-roles.rules.ts';

/** Adds a role of a merchant's own. */
export async function insertOwnRole(
  tx: Tx,
  merchantId: bigint,
  code: OwnRoleCode,
  { name, description, perms }: RoleText,
): Promise<void> {
  await tx.query
    .insertInto('own_role')
    .values({
      merchant_id: merchantId,
      code,
      name,
      name_key: nameKey(name),
      description,
      perms: [...perms],
    })
    .execute();
}

/** Replaces what a role is called and grants. */
export async function updateOwnRole(
  tx: Tx,
  merchantId: bigint,
  code: OwnRoleCode,
  { name, description, perms }: RoleText,
): Promise<void> {
  await tx.query
    .updateTable('own_role')
    .set({
      name,
      name_key: nameKey(name),
      description,
      perms: [...perms],
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    .execute();
}

/** Retires a role: it grants nothing from now on, and its name is free. */
export async function retireOwnRole(tx: Tx, merchantId: bigint, code: OwnRoleCode): Promise<void> {
  await tx.query
    .updateTable('own_role')
    .set({ retired_at: sql<Date>`now()` })
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    .execute();
}
