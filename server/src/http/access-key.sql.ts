import type { KeyScope } from '@hengfu/contract/key-scopes';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Home, NonceAnswer, NonceClaim } from '#domain/caller.ts';
import { claimColumns, type NonceRefusal } from '#domain/nonce-claims.ts';

export type KeyStanding = 'active' | 'off' | 'ended' | 'revoked';

/** Access key data for verifying a signed call. */
export interface FoundKey {
  keyId: string;
  secretEncrypted: Buffer;
  home: Home;
  isSuspended: boolean;
  /** Only an active key admits calls; a merchant turns its keys off and on again. */
  standing: KeyStanding;
  scopes: KeyScope[];
  /** CIDR blocks that calls of the merchant may come from; an empty list rejects all calls. */
  allowedAddresses: string[];
  /** CIDR blocks that calls with this key may come from, besides; null if it has none of its own. */
  ownAddresses: string[] | null;
  /** Callback URL of orders that don't name their own. */
  callbackUrl: string | null;
  /** Changes whenever anything about the key or its merchant changes. */
  revision: string;
}

/** Row versions of the key and its merchant (aliases `k` and `m`), as claim_call_nonces compares them. */
const revision = sql<string>`concat(k.xmin, '.', m.xmin,
  case when cardinality(k.scopes) < 5 or k.allowed_addresses is not null then '.limited' end)`;

const standing = sql<KeyStanding>`case when k.revoked_at is not null then 'revoked' when k.ends_at <= now() then 'ended'
  when k.disabled_at is not null then 'off' else 'active' end`;

/** Returns the access key with this ID, in force or not. */
export async function findAccessKey(tx: Tx, keyId: string): Promise<FoundKey | undefined> {
  const row = await tx.prepared
    .selectFrom('access_key_directory as d')
    .innerJoin('access_key as k', (join) =>
      join.onRef('k.merchant_id', '=', 'd.merchant_id').onRef('k.key_id', '=', 'd.key_id'),
    )
    .innerJoin('merchant as m', 'm.id', 'k.merchant_id')
    .select([
      'k.key_id',
      'k.secret_encrypted',
      'k.callback_url',
      'k.scopes',
      'm.id',
      'm.code',
      'm.name',
      'm.home_currency',
      'm.zone',
      'm.suspended_at',
    ])
    .select([
      sql<string[]>`m.allowed_addresses::text[]`.as('allowed'),
      sql<string[] | null>`k.allowed_addresses::text[]`.as('own_allowed'),
      standing.as('standing'),
      revision.as('revision'),
    ])
    .where('d.key_id', '=', keyId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    keyId: row.key_id,
    secretEncrypted: row.secret_encrypted,
    home: { merchantId: row.id, code: row.code, name: row.name, currency: row.home_currency, zone: row.zone },
    isSuspended: row.suspended_at !== null,
    standing: row.standing,
    scopes: row.scopes,
    allowedAddresses: row.allowed,
    ownAddresses: row.own_allowed,
    callbackUrl: row.callback_url,
    revision: row.revision,
  };
}

/** Claims nonces of the transaction's merchants, each only if its key is unchanged. No two claims may share key and nonce. */
export async function claimNonces(tx: Tx, claims: readonly NonceClaim[]): Promise<NonceAnswer[]> {
  const { rows } = await sql<{ place: number; answer: NonceRefusal }>`
    select place, answer from claim_call_nonces(${JSON.stringify(claims.map(claimColumns))}::json)`.execute(
    tx.prepared,
  );
  const refused = new Map(rows.map(({ place, answer }) => [place, answer]));
  return claims.map((_, index) => refused.get(index + 1) ?? 'claimed');
}

/** Deletes nonces older than any acceptable timestamp; returns how many. */
export async function deleteOldNonces(tx: Tx): Promise<number> {
  const result = await tx.query
    .deleteFrom('used_nonce')
    .where('used_at', '<', sql<Date>`now() - interval '15 minutes'`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
