import type { FeeTerms } from '@hengfu/contract/fees';
import { sql } from 'kysely';
import { adapterFor, methodFor, servesMode } from '#channels/channels.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import type { Collection } from './collections.sql.ts';

/** Finds a channel's terms in force at an instant, or the first later ones if none were in force yet. */
export async function findTerms(tx: MerchantTx, channel: string, at: Date): Promise<FeeTerms | undefined> {
  const { rows } = await sql<{ rate: number; fixed: bigint }>`
    select t.collection_rate_ppm as rate, t.collection_fixed_minor as fixed from merchant_terms t
    where t.merchant_id = ${tx.merchantId} and t.channel = ${channel}
    order by (t.valid_from <= ${at}) desc, case when t.valid_from <= ${at} then t.valid_from end desc, t.valid_from
    limit 1`.execute(tx.prepared);
  return rows[0] && { ratePpm: rows[0].rate, fixedMinor: rows[0].fixed };
}

/** A channel, and the name of its adapter. */
export interface ChosenChannel {
  code: string;
  adapter: string;
}

/** Finds the channel that an order's payer has chosen, by the payment method that its adapter was asked for; undefined if the merchant cannot have offered it. */
export async function findChosenChannel(
  tx: MerchantTx,
  { currency }: Pick<Collection, 'currency'>,
  method: string,
): Promise<ChosenChannel | undefined> {
  const { rows } = await sql<ChosenChannel>`
    select ch.code, ${adapterFor(tx)} as adapter from channel ch
    where ${methodFor(tx)} = ${method} and ${servesMode(tx)} and ch.currency = ${currency}
      and exists (select from merchant_terms t where t.merchant_id = ${tx.merchantId} and t.channel = ch.code)`.execute(
    tx.query,
  );
  return rows[0];
}

/** Sets the channel of an order that has none, and that the transaction has locked. */
export async function setChosenChannel(
  tx: MerchantTx,
  { id }: Pick<Collection, 'id'>,
  { code }: ChosenChannel,
): Promise<void> {
  await tx.query
    .updateTable('collection')
    .set({ channel: code })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .where('channel', 'is', null)
    .execute();
}
