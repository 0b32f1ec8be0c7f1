import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';

/** An access key as its owner sees it. */
export interface KeyRow {
  keyId: string;
  secretEncrypted: Buffer;
  createdAt: Date;
  isEnabled: boolean;
  note: string | null;
  callbackUrl: string | null;
  /** When the key expires; set once a newer one has replaced it. */
  endsAt: Date | null;
}

/** Lists a merchant's keys that are neither revoked nor expired, newest first. */
export async function listKeys(tx: Tx, merchantId: bigint): Promise<KeyRow[]> {
  const rows = await tx.query
    .selectFrom('access_key')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map((row) => ({
    keyId: row.key_id,
    secretEncrypted: row.secret_encrypted,
    createdAt: row.created_at,
    isEnabled: row.disabled_at === null,
    note: row.note,
    callbackUrl: row.callback_url,
    endsAt: row.ends_at,
  }));
}

/** A merchant's newest key, in force or not. */
export type LastKey = Pick<KeyRow, 'keyId' | 'note' | 'callbackUrl'>;

/** Finds a merchant's newest key, even if it was revoked or has expired. */
export async function findLastKey(tx: Tx, merchantId: bigint): Promise<LastKey | undefined> {
  const row = await tx.query
    .selectFrom('access_key')
    .select(['key_id', 'note', 'callback_url'])
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { keyId: row.key_id, note: row.note, callbackUrl: row.callback_url };
}

/** Reads the code of the merchant, which its keys begin with. */
export async function readMerchantCode(tx: MerchantTx): Promise<string> {
  const { code } = await tx.query
    .selectFrom('merchant')
    .select('code')
    .where('id', '=', tx.merchantId)
    .executeTakeFirstOrThrow();
  return code;
}

/** Locks a merchant's keys until the transaction ends, so that they are replaced one at a time. */
export async function lockKeys(tx: Tx, merchantId: bigint): Promise<void> {
  await sql`select from merchant where id = ${merchantId} for update`.execute(tx.query);
}

/** Makes all keys of a merchant expire in `hours` hours at the latest; revokes them at once if it is 0. */
export async function endKeys(tx: Tx, merchantId: bigint, hours: number): Promise<void> {
  await sql`
    update access_key set
      ends_at = least(ends_at, now() + ${hours}::integer * interval '1 hour'),
      revoked_at = case when ${hours}::integer = 0 then now() end
    where merchant_id = ${merchantId} and revoked_at is null and (ends_at is null or ends_at > now())`.execute(
    tx.query,
  );
}

/** Revokes the keys that a newer one has replaced, and returns their IDs. */
export async function revokeOlder(tx: Tx, merchantId: bigint): Promise<string[]> {
  const rows = await tx.query
    .updateTable('access_key')
    .set({ revoked_at: sql<Date>`now()` })
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', sql<Date>`now()`)
    .returning('key_id')
    .execute();
  return rows.map(({ key_id: keyId }) => keyId).sort();
}

/** Updates a key's note and callback URL, and enables or disables it. */
export async function updateKey(
  tx: Tx,
  merchantId: bigint,
  keyId: string,
  change: { note: string | null; callbackUrl: string | null; isEnabled: boolean },
): Promise<void> {
  await tx.query
    .updateTable('access_key')
    .set({
      note: change.note,
      callback_url: change.callbackUrl,
      disabled_at: change.isEnabled ? null : sql<Date>`coalesce(disabled_at, now())`,
    })
    .where('merchant_id', '=', merchantId)
    .where('key_id', '=', keyId)
    .execute();
}

/** Records that a person has read a key's secret: payouts that are asked for with it count as the person's own. */
export async function noteReader(
  tx: Tx,
  { userId, home: { merchantId } }: Pick<Person, 'userId' | 'home'>,
  keyId: string,
): Promise<void> {
  await tx.query
    .insertInto('access_key_reader')
    .values({ merchant_id: merchantId, key_id: keyId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
