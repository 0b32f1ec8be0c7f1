import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { CollectionTerms } from './collections.rules.ts';

/** The terms that held for a channel when the order was made; the first ones after, where none held yet. */
export async function findTerms(
  tx: MerchantTx,
  channel: string,
  at: Date,
): Promise<CollectionTerms | undefined> {
  const { rows } = await sql<{ rate: number; fixed: bigint }>`
    select t.collection_rate_ppm as rate, t.collection_fixed_minor as fixed from merchant_terms t
    where t.merchant_id = ${tx.merchantId} and t.channel = ${channel}
    order by (t.valid_from <= ${at}) desc, case when t.valid_from <= ${at} then t.valid_from end desc, t.valid_from
    limit 1`.execute(tx.query);
  return rows[0] && { ratePpm: rows[0].rate, fixedMinor: rows[0].fixed };
}

/** Whether a merchant may collect through a channel now, and which adapter speaks to it. */
export async function findOpenChannel(
  tx: MerchantTx,
  channel: string,
  currency: Currency,
): Promise<{ adapter: string } | undefined> {
  const { rows } = await sql<{ adapter: string }>`
    select ch.adapter from channel ch
    where ch.code = ${channel} and ch.currency = ${currency} and ch.collection_open
      and exists (select from merchant_terms t
        where t.merchant_id = ${tx.merchantId} and t.channel = ch.code and t.valid_from <= now())`.execute(
    tx.query,
  );
  return rows[0];
}

/** The adapter that speaks to a channel, open or not: what was begun there is finished there. */
export async function findAdapterOf(tx: Tx, channel: string): Promise<string | undefined> {
  const row = await tx.query
    .selectFrom('channel')
    .select('adapter')
    .where('code', '=', channel)
    .executeTakeFirst();
  return row?.adapter;
}
