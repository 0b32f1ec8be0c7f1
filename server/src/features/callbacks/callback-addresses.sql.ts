import { sql } from 'kysely';
import { findSigningKeys } from '#callbacks/callbacks.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import {
  type CheckColumns,
  checkColumns,
  type DueCheck,
  longestCheckSeconds,
  runOf,
  type StoredCheck,
  toStoredCheck,
} from './callback-checks.sql.ts';

/** The callback URL of a live access key, with its last check. */
export interface KeyAddress {
  keyId: string;
  name: string | null;
  url: string;
  check: StoredCheck | null;
}

/** Lists the callback URLs of the merchant's live keys, oldest key first; only that of one key with `keyId`. */
export async function listAddresses(tx: MerchantTx, keyId?: string): Promise<KeyAddress[]> {
  const { rows } = await sql<CheckColumns & { keyId: string; name: string | null; url: string }>`
    select k.key_id as "keyId", k.name, k.callback_url as url, ${checkColumns}
    from access_key k
    left join callback_address_check c
      on c.merchant_id = k.merchant_id and c.key_id = k.key_id and c.url = k.callback_url
    where k.merchant_id = ${tx.merchantId} and k.callback_url is not null and k.revoked_at is null
      and (k.ends_at is null or k.ends_at > now()) ${keyId === undefined ? sql`` : sql`and k.key_id = ${keyId}`}
    order by k.created_at, k.key_id`.execute(tx.query);
  return rows.map((row) => ({
    keyId: row.keyId,
    name: row.name,
    url: row.url,
    check: toStoredCheck(row),
  }));
}

/** Records the beginning of a check, in place of the last one of the key. Returns what distinguishes it from others. */
export async function beginAddressCheck(
  tx: MerchantTx,
  { keyId, url }: Pick<KeyAddress, 'keyId' | 'url'>,
): Promise<string> {
  const { rows } = await sql<{ run_id: string }>`
    insert into callback_address_check (merchant_id, key_id, url) values (${tx.merchantId}, ${keyId}, ${url})
    on conflict (merchant_id, key_id) do update
      set url = excluded.url, run_id = gen_random_uuid(), steps = '[]', verdict = null, started_at = now(), ended_at = null
    returning run_id`.execute(tx.query);
  return runOf(rows);
}

/**
 * Empties the steps of a check, which its job begins or begins again. Undefined if it is over, or the key has another callback URL or has
 * ended. As callbacks of orders, it is signed with every valid key.
 */
export async function takeAddressCheck(
  tx: MerchantTx,
  { keyId, runId }: { keyId: string; runId: string },
): Promise<DueCheck | undefined> {
  const { rows } = await sql<{ url: string }>`
    update callback_address_check c set steps = '[]' from access_key k
    where c.merchant_id = ${tx.merchantId} and c.key_id = ${keyId} and c.run_id = ${runId} and c.verdict is null
      and c.started_at > now() - ${longestCheckSeconds}::integer / 2 * interval '1 second'
      and k.merchant_id = c.merchant_id and k.key_id = c.key_id and k.callback_url = c.url
      and k.revoked_at is null and (k.ends_at is null or k.ends_at > now())
    returning c.url`.execute(tx.query);
  const [row] = rows;
  return row && { url: row.url, secrets: await findSigningKeys(tx, tx.merchantId) };
}
