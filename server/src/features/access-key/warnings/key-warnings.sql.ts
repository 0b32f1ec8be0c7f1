import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** A notice that is due: of a key that expires in so many days, or that has expired (0). */
export interface DueWarning {
  merchantId: bigint;
  keyId: string;
  name: string | null;
  endsAt: Date;
  days: number;
}

/**
 * Lists the notices that are due, of keys that are on and have no successor: for each key the one with the fewest days. A key that lives no
 * longer than so many days needs no such notice, and one that expired long ago none at all.
 */
export async function listDueWarnings(tx: Tx, limit: number): Promise<DueWarning[]> {
  const { rows } = await sql<DueWarning>`
    select k.merchant_id as "merchantId", k.key_id as "keyId", k.name, k.ends_at as "endsAt", due.days
    from access_key k
    cross join lateral (
      select min(days) as days from unnest(array[0, 3, 14]) as days
      where k.ends_at <= now() + days * interval '1 day' and k.ends_at > k.created_at + days * interval '1 day') due
    where k.revoked_at is null and k.ends_at > now() - interval '7 days' and k.ends_at <= now() + interval '14 days'
      and k.disabled_at is null and k.successor is null and due.days is not null
      and not exists (
        select from access_key_warning w
        where w.merchant_id = k.merchant_id and w.key_id = k.key_id and w.ends_at = k.ends_at and w.days = due.days)
    order by k.ends_at, k.key_id limit ${limit}`.execute(tx.query);
  return rows;
}

/** Records a notice; returns whether it is the first of its kind. */
export async function recordWarning(
  tx: MerchantTx,
  { keyId, days }: Pick<DueWarning, 'keyId' | 'days'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into access_key_warning (merchant_id, key_id, ends_at, days)
    select merchant_id, key_id, ends_at, ${days}::integer from access_key
    where merchant_id = ${tx.merchantId} and key_id = ${keyId} and ends_at is not null and successor is null and revoked_at is null
      and ends_at <= now() + ${days}::integer * interval '1 day'
    on conflict do nothing returning 1`.execute(tx.query);
  return rows.length > 0;
}
