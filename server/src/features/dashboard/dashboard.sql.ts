import type { CollectionStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Bucket, DashboardDays } from './dashboard.rules.ts';

/** Today's midnight in a zone, as local time. */
const todayIn = (zone: string) => sql`date_trunc('day', now() at time zone ${zone})`;

/** Reads today and yesterday in a zone. */
export async function readDays(tx: MerchantTx, zone: string): Promise<DashboardDays> {
  const { rows } = await sql<DashboardDays>`
    select at as now,
      day at time zone ${zone} as "todayStart",
      (day - interval '1 day') at time zone ${zone} as "yesterdayStart",
      to_char(day, 'YYYY-MM-DD') as "todayDate",
      to_char(day - interval '1 day', 'YYYY-MM-DD') as "yesterdayDate"
    from (select now() as at, ${todayIn(zone)} as day) moment`.execute(tx.prepared);
  const [days] = rows;
  if (!days) throw new Error('the query for the current day returned no row');
  return days;
}

type OrderStatus = CollectionStatus | PayoutStatus;
/** The statuses in which an order counts as successful, and as failed. A refunded one succeeded before. */
const succeededStatuses: readonly OrderStatus[] = ['paid', 'success', 'refunded', 'processed'];
const lostStatuses: readonly OrderStatus[] = ['cancelled', 'closed', 'failed', 'rejected'];

/** Reads the buckets since yesterday's midnight in a zone: at most 192 per kind, for any number of orders. */
export async function readBuckets(
  tx: MerchantTx,
  { currency, zone }: { currency: Currency; zone: string },
): Promise<Bucket[]> {
  // No bucket begins in the future. Of a range without an end, a plan for all values expects a third of the table.
  const { rows } = await sql<Bucket>`
    select kind, bucket,
      ${createdIn(succeededStatuses)} as succeeded, ${createdIn(lostStatuses)} as lost,
      coalesce(sum(orders) filter (where axis = 'paid'), 0)::integer as done,
      coalesce(sum(amount_minor) filter (where axis = 'paid'), 0)::bigint as "doneAmountMinor"
    from order_rollup
    where merchant_id = ${tx.merchantId} and kind in ('collection', 'payout') and axis in ('created', 'paid')
      and currency = ${currency}
      and bucket >= (${todayIn(zone)} - interval '1 day') at time zone ${zone} and bucket < now() + interval '1 hour'
    group by kind, bucket`.execute(tx.prepared);
  return rows;
}

/** Counts the orders created in a bucket that are in one of these statuses now. */
const createdIn = (statuses: readonly OrderStatus[]) =>
  sql`coalesce(sum(orders) filter (where axis = 'created' and status = any(${[...statuses]}::text[])), 0)::integer`;
