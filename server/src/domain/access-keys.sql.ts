import { type KeyScope, keyScopes } from '@hengfu/contract/key-scopes';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Person } from './caller.ts';
import { assertWithinQuota } from './quota.sql.ts';

/** The limits of an access key. */
export interface KeyLimits {
  /** Defaults to all of them. */
  scopes?: readonly KeyScope[];
  /** CIDR blocks within the merchant's whitelist; null, or absent, if the key has none of its own. */
  addresses?: readonly string[] | null;
  endsAt?: Date | null;
}

/** An access key to insert. */
export interface NewAccessKey extends KeyLimits {
  keyId: string;
  merchantId: bigint;
  secretEncrypted: Buffer;
  name?: string | null;
  note?: string | null;
  callbackUrl?: string | null;
  /** The person who makes it; absent for an operator. */
  createdBy?: bigint;
}

/** Says that this transaction knows lines of keys: the database keeps processes of the version before from changing them (`guard_key_lines`). */
export const knowKeyLines: RawBuilder<string> = sql`set_config('app.key_lines', 'known', true)`;

/** Inserts an access key, after claiming its ID among the keys of all merchants. */
export async function insertAccessKey(tx: Tx, key: NewAccessKey): Promise<void> {
  const { keyId, merchantId, secretEncrypted, name = null, note = null, callbackUrl = null } = key;
  const { scopes = keyScopes, addresses = null, endsAt = null, createdBy = null } = key;
  await sql`select ${knowKeyLines}`.execute(tx.query);
  await sql`
    with claim as (
      insert into access_key_directory (key_id, merchant_id) values (${keyId}, ${merchantId})
    )
    insert into access_key (key_id, merchant_id, secret_encrypted, name, note, callback_url, scopes, allowed_addresses, ends_at,
      created_by)
    values (${keyId}, ${merchantId}, ${secretEncrypted}, ${name}, ${note}, ${callbackUrl}, ${[...scopes]}::text[],
      ${addresses && [...addresses]}::cidr[], ${endsAt}, ${createdBy})`.execute(tx.query);
}

/** Keys that are neither revoked nor expired, whether or not they are on. */
const isLive: RawBuilder<boolean> = sql`revoked_at is null and (ends_at is null or ends_at > now())`;

/** Counts a merchant's live keys: those that are still to be used, or those that have a successor. */
export async function countLiveKeys(
  tx: Tx,
  merchantId: bigint,
  { areReplaced }: { areReplaced: boolean },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from access_key
    where merchant_id = ${merchantId} and ${isLive} and (successor is not null) = ${areReplaced}`.execute(
    tx.query,
  );
  return rows[0]?.count ?? 0;
}

/** Asserts that a merchant may have one more key. Throws `quota_reached`. */
export function assertMayAddKey(tx: Tx, merchantId: bigint): Promise<void> {
  return assertWithinQuota(tx, 'keysOfMerchant', merchantId, () =>
    countLiveKeys(tx, merchantId, { areReplaced: false }),
  );
}

/** Asserts that one more key of a merchant may stay valid beside its successor. Throws `quota_reached`. */
export function assertMayReplaceKey(tx: Tx, merchantId: bigint): Promise<void> {
  return assertWithinQuota(tx, 'replacedKeysOfMerchant', merchantId, () =>
    countLiveKeys(tx, merchantId, { areReplaced: true }),
  );
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
