import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** An access key as the staff sees it. */
export interface StaffKey {
  keyId: string;
  createdAt: Date;
  state: 'active' | 'turned off' | 'ended' | 'revoked';
  /** Until when a key with a successor works, or since when it does not. */
  until: Date | null;
}

/** All keys a merchant ever had, the newest first. */
export async function listAllKeys(tx: Tx, merchantId: bigint): Promise<StaffKey[]> {
  const { rows } = await sql<StaffKey>`
    select key_id as "keyId", created_at as "createdAt", case when revoked_at is not null then 'revoked'
        when ends_at <= now() then 'ended' when disabled_at is not null then 'turned off' else 'active' end as state,
      coalesce(revoked_at, ends_at) as until
    from access_key where merchant_id = ${merchantId} order by created_at desc, key_id`.execute(tx.query);
  return rows;
}

/** Whose a key is. */
export async function findKeyOwner(tx: Tx, keyId: string): Promise<bigint | undefined> {
  const row = await tx.query
    .selectFrom('access_key')
    .select('merchant_id')
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row?.merchant_id;
}

/** Holds a merchant's keys until the transaction ends, as whoever makes a new one does. */
export async function holdKeys(tx: Tx, merchantId: bigint): Promise<void> {
  await sql`select from merchant where id = ${merchantId} for update`.execute(tx.query);
}

/** Revokes those keys of a merchant that still count, or one of them; answers which. */
export async function revokeKeys(tx: Tx, merchantId: bigint, keyId: string | undefined): Promise<string[]> {
  const rows = await tx.query
    .updateTable('access_key')
    .set({ revoked_at: sql<Date>`now()` })
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', sql<Date>`now()`)]))
    .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId ?? ''))
    .returning('key_id')
    .execute();
  return rows.map((row) => row.key_id).sort();
}
