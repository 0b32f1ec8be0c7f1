import type { KeySettings } from '@hengfu/contract/access-requests';
import type { KeyScope } from '@hengfu/contract/key-scopes';
import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { knowKeyLines } from '#domain/access-keys.sql.ts';

/** An access key as its owner sees it. */
export interface KeyRow {
  keyId: string;
  name: string | null;
  secretEncrypted: Buffer;
  createdAt: Date;
  isEnabled: boolean;
  note: string | null;
  callbackUrl: string | null;
  scopes: KeyScope[];
  /** CIDR blocks; null if the key has no list of its own. */
  addresses: string[] | null;
  /** When the key ends: because it expires, or because another one has replaced it. */
  endsAt: Date | null;
  /** When its expiry was changed last; null if it is the one that the key was made with. */
  expiryChangedAt: Date | null;
  /** The key that has replaced it. */
  successor: string | null;
  /** Neither revoked nor expired. */
  isLive: boolean;
  /** When the first key was made of those that this one belongs to: each has succeeded another. */
  lineBeganAt: Date;
}

const isLive: RawBuilder<boolean> = sql`(revoked_at is null and (ends_at is null or ends_at > now()))`;
const keyColumns = sql`
  key_id as "keyId", name, secret_encrypted as "secretEncrypted", created_at as "createdAt", disabled_at is null as "isEnabled", note,
  callback_url as "callbackUrl", scopes, allowed_addresses::text[] as addresses, ends_at as "endsAt", successor,
  expiry_changed_at as "expiryChangedAt", coalesce(line_began_at, created_at) as "lineBeganAt", ${isLive} as "isLive"`;

/** Lists a merchant's keys that are neither revoked nor expired: by line in the order of their first keys, the newest of each first. */
export async function listKeys(tx: Tx, merchantId: bigint): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${keyColumns} from access_key where merchant_id = ${merchantId} and ${isLive}
    order by coalesce(line_began_at, created_at), created_at desc, key_id`.execute(tx.query);
  return rows;
}

/** Finds one of the merchant's keys, even if it was revoked or has expired. */
export async function findKey(tx: Tx, merchantId: bigint, keyId: string): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${keyColumns} from access_key where merchant_id = ${merchantId} and key_id = ${keyId}`.execute(
    tx.query,
  );
  return rows[0];
}

/** Finds a merchant's newest key, even if it was revoked or has expired. */
export async function findLastKey(tx: Tx, merchantId: bigint): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${keyColumns} from access_key where merchant_id = ${merchantId}
    order by created_at desc, key_id limit 1`.execute(tx.query);
  return rows[0];
}

/** Reads the code and mode of the merchant, which its keys begin with. */
export function readKeyMerchant(tx: MerchantTx): Promise<{ code: string; mode: MerchantMode }> {
  return tx.query
    .selectFrom('merchant')
    .select(['code', 'mode'])
    .where('id', '=', tx.merchantId)
    .executeTakeFirstOrThrow();
}

/** Locks a merchant's keys until the transaction ends, so that they are changed one at a time. */
export async function lockKeys(tx: Tx, merchantId: bigint): Promise<void> {
  await sql`select ${knowKeyLines} from merchant where id = ${merchantId} for update`.execute(tx.query);
}

/**
 * Records that a key has replaced another one: the new one joins its line, and the one before and those that it has replaced end in `hours` hours at the
 * latest; at once if it is 0.
 */
export async function succeedKey(
  tx: Tx,
  merchantId: bigint,
  { keyId, successor, hours }: { keyId: string; successor: string; hours: number },
): Promise<void> {
  await sql`
    update access_key n set line_began_at = coalesce(k.line_began_at, k.created_at) from access_key k
    where n.merchant_id = ${merchantId} and n.key_id = ${successor} and k.merchant_id = ${merchantId} and k.key_id = ${keyId}`.execute(
    tx.query,
  );
  await sql`
    update access_key set successor = ${successor}
    where merchant_id = ${merchantId} and key_id = ${keyId}`.execute(tx.query);
  await sql`
    update access_key k set
      ends_at = least(k.ends_at, now() + ${hours}::integer * interval '1 hour'),
      revoked_at = case when ${hours}::integer = 0 then now() end
    from access_key n
    where n.merchant_id = ${merchantId} and n.key_id = ${successor} and k.merchant_id = ${merchantId} and k.key_id <> ${successor}
      and k.revoked_at is null and (k.ends_at is null or k.ends_at > now())
      and (coalesce(k.line_began_at, k.created_at) = n.line_began_at or k.successor = ${keyId})`.execute(
    tx.query,
  );
}

/** Revokes keys that are still valid, and returns the IDs of those. */
export async function revokeKeys(tx: Tx, merchantId: bigint, keyIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ keyId: string }>`
    update access_key set revoked_at = now()
    where merchant_id = ${merchantId} and key_id = any(${[...keyIds]}::text[]) and ${isLive}
    returning key_id as "keyId"`.execute(tx.query);
  return rows.map(({ keyId }) => keyId).sort();
}

/** The settings of a key that can be changed. */
export interface KeyChange extends KeySettings {
  name: string | null;
  note: string | null;
}

/** Updates a key, and enables or disables it. */
export async function updateKey(
  tx: Tx,
  merchantId: bigint,
  keyId: string,
  { name, note, callbackUrl, isEnabled, scopes, addresses, endsAt }: KeyChange,
): Promise<void> {
  await sql`
    update access_key set name = ${name}, note = ${note}, callback_url = ${callbackUrl}, scopes = ${[...scopes]}::text[],
      allowed_addresses = ${addresses && [...addresses]}::cidr[], ends_at = ${endsAt}::timestamptz,
      expiry_changed_at = case when ends_at is distinct from ${endsAt}::timestamptz then now() else expiry_changed_at end,
      disabled_at = case when not ${isEnabled} then coalesce(disabled_at, now()) end
    where merchant_id = ${merchantId} and key_id = ${keyId}`.execute(tx.query);
}
