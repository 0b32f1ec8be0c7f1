import { sql } from 'kysely';
import type { Home } from '#caller.ts';
import type { Tx } from '#db/database.ts';

/** What is needed to judge a signed call. */
export interface FoundKey {
  keyId: string;
  secretEncrypted: Buffer;
  home: Home;
  isSuspended: boolean;
  /** CIDR blocks that calls may come from; empty refuses all. */
  allowedAddresses: string[];
}

/** The access key with this id, unless revoked. */
export async function findAccessKey(tx: Tx, keyId: string): Promise<FoundKey | undefined> {
  const row = await tx.query
    .selectFrom('access_key as k')
    .innerJoin('merchant as m', 'm.id', 'k.merchant_id')
    .select([
      'k.key_id',
      'k.secret_encrypted',
      'm.id',
      'm.code',
      'm.name',
      'm.home_currency',
      'm.zone',
      'm.suspended_at',
    ])
    .select(sql<string[]>`m.allowed_addresses::text[]`.as('allowed'))
    .where('k.key_id', '=', keyId)
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    keyId: row.key_id,
    secretEncrypted: row.secret_encrypted,
    home: { merchantId: row.id, code: row.code, name: row.name, currency: row.home_currency, zone: row.zone },
    isSuspended: row.suspended_at !== null,
    allowedAddresses: row.allowed,
  };
}

/** Takes a nonce for good; false where it was taken before. */
export async function claimNonce(tx: Tx, keyId: string, nonce: string): Promise<boolean> {
  const result = await tx.query
    .insertInto('used_nonce')
    .values({ key_id: keyId, nonce })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Forgets nonces that no timestamp can bring back; returns how many. */
export async function deleteOldNonces(tx: Tx): Promise<number> {
  const result = await tx.query
    .deleteFrom('used_nonce')
    .where('used_at', '<', sql<Date>`now() - interval '15 minutes'`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
