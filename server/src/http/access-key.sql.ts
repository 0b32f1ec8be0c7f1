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
  /** Where callbacks of orders go that name no address of their own. */
  callbackUrl: string | null;
  /** Another one once anything about the key or its merchant has changed. */
  revision: string;
}

/** The row versions that a key's facts come from; aliases `k` and `m`. */
const revision = sql<string>`concat(k.xmin, '.', m.xmin)`;

/** Neither revoked nor turned off, nor at its end. */
const isCounting = sql<boolean>`(k.revoked_at is null and k.disabled_at is null and (k.ends_at is null or k.ends_at > now()))`;

/** The access key with this id, if it counts. */
export async function findAccessKey(tx: Tx, keyId: string): Promise<FoundKey | undefined> {
  const row = await tx.prepared
    .selectFrom('access_key as k')
    .innerJoin('merchant as m', 'm.id', 'k.merchant_id')
    .select([
      'k.key_id',
      'k.secret_encrypted',
      'k.callback_url',
      'm.id',
      'm.code',
      'm.name',
      'm.home_currency',
      'm.zone',
      'm.suspended_at',
    ])
    .select([sql<string[]>`m.allowed_addresses::text[]`.as('allowed'), revision.as('revision')])
    .where('k.key_id', '=', keyId)
    .where(isCounting)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    keyId: row.key_id,
    secretEncrypted: row.secret_encrypted,
    home: { merchantId: row.id, code: row.code, name: row.name, currency: row.home_currency, zone: row.zone },
    isSuspended: row.suspended_at !== null,
    allowedAddresses: row.allowed,
    callbackUrl: row.callback_url,
    revision: row.revision,
  };
}

/** Takes a nonce for good, if the key still is what it was judged by. `changed`: it is to be read and judged again. */
export async function claimNonce(
  tx: Tx,
  key: Pick<FoundKey, 'keyId' | 'revision'>,
  nonce: string,
): Promise<'claimed' | 'replayed' | 'changed'> {
  const { rows } = await sql<{ same: boolean; claimed: boolean }>`
    with same as (
      select from access_key k join merchant m on m.id = k.merchant_id
      where k.key_id = ${key.keyId} and ${isCounting} and ${revision} = ${key.revision}
    ), claimed as (
      insert into used_nonce (key_id, nonce) select ${key.keyId}, ${nonce} from same
      on conflict do nothing returning 1
    )
    select exists (select from same) as same, exists (select from claimed) as claimed`.execute(tx.prepared);
  if (!rows[0]?.same) return 'changed';
  return rows[0].claimed ? 'claimed' : 'replayed';
}

/** Forgets nonces that no timestamp can bring back; returns how many. */
export async function deleteOldNonces(tx: Tx): Promise<number> {
  const result = await tx.query
    .deleteFrom('used_nonce')
    .where('used_at', '<', sql<Date>`now() - interval '15 minutes'`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
