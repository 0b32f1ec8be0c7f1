import { type Grant, noGrant, type OwnPerms, type RoleCode } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { ownPermsOf, withPerms } from './own-roles.sql.ts';

/** Reads what the roles of a person who may act for the merchant grant now; nothing for others. */
export async function readActiveGrant(tx: MerchantTx, userId: bigint): Promise<Grant> {
  const { rows } = await sql<{ roles: RoleCode[]; ownPerms: OwnPerms | null }>`
    select p.roles, ${ownPermsOf('p')} as "ownPerms" from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${tx.merchantId} and p.user_id = ${userId} and p.disabled_at is null and u.disabled_at is null`.execute(
    tx.query,
  );
  return rows[0] ? withPerms(rows[0]) : noGrant;
}
