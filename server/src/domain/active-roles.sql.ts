import type { Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Reads the roles of a person who may act for the merchant now; none for others. */
export async function readActiveRoles(tx: MerchantTx, userId: bigint): Promise<Role[]> {
  const { rows } = await sql<{ roles: Role[] }>`
    select p.roles from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${tx.merchantId} and p.user_id = ${userId} and p.disabled_at is null and u.disabled_at is null`.execute(
    tx.query,
  );
  return rows[0]?.roles ?? [];
}
