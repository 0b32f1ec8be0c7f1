import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';

/** Access key data for verifying a signed call. */
export interface FoundKey {
  keyId: string;
  secretEncrypted: Buffer;
  home: Home;
  isSuspended: boolean;
  /** CIDR blocks that calls may come from; an empty list rejects all calls. */
  allowedAddresses: string[];
  /** Callback URL of orders that don't name their own. */
  callbackUrl: string | null;
  /** Changes whenever anything about the key or its merchant changes. */
  revision: string;
}

/** Row versions of the key and its merchant (aliases `k` and `m`). */
const revision = sql<string>`concat(k.xmin, '.', m.xmin)`;

/** Neither revoked, disabled nor expired. */
const isActive = sql<boolean>`(k.revoked_at is null and k.disabled_at is null and (k.ends_at is null or k.ends_at > now()))`;

/** Returns the access key with this id, if it is active. */
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
      'm.id',
      'm.code',
      'm.name',
      'm.home_currency',
      'm.zone',
      'm.suspended_at',
    ])
    .select([sql<string[]>`m.allowed_addresses::text[]`.as('allowed'), revision.as('revision')])
    .where('d.key_id', '=', keyId)
    .where(isActive)
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

/** A call's claim on its nonce, with the revision of the key that was verified. */
export interface NonceClaim extends Pick<FoundKey, 'keyId' | 'revision'> {
  merchantId: bigint;
  nonce: string;
}

/** `changed`: the key has changed since it was verified, and must be read and verified again. */
export type NonceOutcome = 'claimed' | 'replayed' | 'changed';

/** Claims nonces permanently, each only if its key is unchanged. No two claims may share key and nonce. */
export async function claimNonces(tx: Tx, claims: readonly NonceClaim[]): Promise<NonceOutcome[]> {
  const { rows } = await sql<{ answer: NonceOutcome }>`
    select answer from claim_nonces(${claims.map(({ merchantId }) => merchantId)}::bigint[],
      ${claims.map(({ keyId }) => keyId)}::text[], ${claims.map(({ revision: verified }) => verified)}::text[], ${claims.map(({ nonce }) => nonce)}::text[]) as answer`.execute(
    tx.prepared,
  );
  return rows.map(({ answer }) => answer);
}

/** Deletes nonces older than any acceptable timestamp; returns how many. */
export async function deleteOldNonces(tx: Tx): Promise<number> {
  const result = await tx.query
    .deleteFrom('used_nonce')
    .where('used_at', '<', sql<Date>`now() - interval '15 minutes'`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
