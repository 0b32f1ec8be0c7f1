import { endedKeyDays, type KeyState, maxListedKeys } from '@hengfu/contract/access-keys';
import type { KeyScope } from '@hengfu/contract/key-scopes';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A key in the list of all keys. */
export interface ListedKey {
  keyId: string;
  name: string | null;
  state: KeyState;
  scopes: KeyScope[];
  addresses: string[] | null;
  callbackUrl: string | null;
  note: string | null;
  createdAt: Date;
  endsAt: Date | null;
  successor: string | null;
  usedAt: Date | null;
  usedFrom: string | null;
  usedFor: string | null;
}

/** Lists a merchant's live keys, by line in the order of their first keys, then those that ended lately, the last one first. */
export async function listAllKeys(tx: MerchantTx): Promise<ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select k.key_id as "keyId", name, scopes, allowed_addresses::text[] as addresses, callback_url as "callbackUrl", note,
      created_at as "createdAt", coalesce(revoked_at, ends_at) as "endsAt", successor,
      case when revoked_at is not null then 'revoked' when ends_at <= now() then 'ended' when disabled_at is not null then 'off'
        else 'active' end as state,
      u.used_at as "usedAt", host(u.address) as "usedFrom", u.call as "usedFor"
    from access_key k
    left join access_key_use u on u.merchant_id = k.merchant_id and u.key_id = k.key_id
    where k.merchant_id = ${tx.merchantId}
      and (coalesce(revoked_at, ends_at) is null or coalesce(revoked_at, ends_at) > now() - ${endedKeyDays} * interval '1 day')
    order by revoked_at is not null or coalesce(ends_at <= now(), false),
      case when revoked_at is not null or ends_at <= now() then coalesce(revoked_at, ends_at) end desc,
      coalesce(line_began_at, created_at), created_at desc, k.key_id
    limit ${maxListedKeys}`.execute(tx.query);
  return rows;
}
