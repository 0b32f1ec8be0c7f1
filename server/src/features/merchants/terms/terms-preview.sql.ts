import type { ChannelCode } from '@hengfu/contract/channels';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A fee: a rate in parts per million, and a fixed part in minor units. */
interface Fee {
  ratePpm: number;
  fixedMinor: bigint;
}

/** The paid orders of one kind, with their fees as they were and under other terms, in minor units. */
export interface FeesOfDay {
  kind: 'collection' | 'payout';
  count: number;
  amountMinor: bigint;
  wasMinor: bigint;
  wouldMinor: bigint;
}

/** Calculates the fees of the orders that a merchant made through a channel yesterday, in its zone, and that were paid. */
export async function feesYesterday(
  tx: MerchantTx,
  { channel, zone, collection, payout }: { channel: ChannelCode; zone: string; collection: Fee; payout: Fee },
): Promise<{ day: string; orders: FeesOfDay[] }> {
  const today = sql`date_trunc('day', now() at time zone ${zone})`;
  const orders = async (kind: FeesOfDay['kind'], { ratePpm, fixedMinor }: Fee) => {
    const { rows } = await sql<FeesOfDay & { day: string }>`
      select ${kind} as kind, to_char(${today} - interval '1 day', 'YYYY-MM-DD') as day, count(*)::integer as count,
        coalesce(sum(amount_minor), 0)::bigint as "amountMinor", coalesce(sum(fee_minor), 0)::bigint as "wasMinor",
        coalesce(sum(order_fee(amount_minor, ${ratePpm}::integer, ${fixedMinor}::bigint)), 0)::bigint as "wouldMinor"
      from staff_order_fee
      where kind = ${kind} and merchant_id = ${tx.merchantId} and channel = ${channel}
        and created_at >= (${today} - interval '1 day') at time zone ${zone} and created_at < ${today} at time zone ${zone}`.execute(
      tx.query,
    );
    const [row] = rows;
    if (!row) throw new Error('an aggregate returned no row');
    return row;
  };
  const [collections, payouts] = [await orders('collection', collection), await orders('payout', payout)];
  return { day: collections.day, orders: [collections, payouts].map(({ day: _, ...sums }) => sums) };
}
