import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';

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

/** A call that would take its nonce, and what its key was judged by. */
export interface NonceClaim extends Pick<FoundKey, 'keyId' | 'revision'> {
  nonce: string;
}

/** `changed`: the key is no longer what it was judged by, and is to be read and judged again. */
export type NonceAnswer = 'claimed' | 'replayed' | 'changed';

/** Takes nonces for good, each if its key still is what it was judged by; no two may be the same of one key. */
export async function claimNonces(tx: Tx, claims: readonly NonceClaim[]): Promise<NonceAnswer[]> {
  const { rows } = await sql<{ answer: NonceAnswer }>`
    select answer from claim_nonces(${claims.map(({ keyId }) => keyId)}::text[],
      ${claims.map(({ revision: judged }) => judged)}::text[], ${claims.map(({ nonce }) => nonce)}::text[]) as answer`.execute(
    tx.prepared,
  );
  return rows.map(({ answer }) => answer);
}

/** Forgets nonces that no timestamp can bring back; returns how many. */
export async function deleteOldNonces(tx: Tx): Promise<number> {
  const result = await tx.query
    .deleteFrom('used_nonce')
    .where('used_at', '<', sql<Date>`now() - interval '15 minutes'`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
