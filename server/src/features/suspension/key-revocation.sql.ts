import type { KeyScope } from '@hengfu/contract/key-scopes';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** An access key as staff sees it. */
export interface StaffKey {
  keyId: string;
  name: string | null;
  scopes: KeyScope[];
  createdAt: Date;
  state: 'active' | 'turned off' | 'ended' | 'revoked';
  /** When the key expires or expired, or when it was revoked. */
  until: Date | null;
}

/** Lists all keys that a merchant ever had, newest first. */
export async function listAllKeys(tx: Tx, merchantId: bigint): Promise<StaffKey[]> {
  const { rows } = await sql<StaffKey>`
    select key_id as "keyId", name, scopes, created_at as "createdAt", case when revoked_at is not null then 'revoked'
        when ends_at <= now() then 'ended' when disabled_at is not null then 'turned off' else 'active' end as state,
      coalesce(revoked_at, ends_at) as until
    from access_key where merchant_id = ${merchantId} order by created_at desc, key_id`.execute(tx.query);
  return rows;
}

/** Finds the merchant that owns a key. */
export async function findKeyOwner(tx: Tx, keyId: string): Promise<bigint | undefined> {
  const row = await tx.query
    .selectFrom('access_key')
    .select('merchant_id')
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row?.merchant_id;
}

/** Locks a merchant's keys until the transaction ends, as the creation of a key does. */
export async function holdKeys(tx: Tx, merchantId: bigint): Promise<void> {
  await sql`select from merchant where id = ${merchantId} for update`.execute(tx.query);
}

/** Revokes a merchant's valid keys, or only the given one; returns the ids of the revoked keys. */
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
