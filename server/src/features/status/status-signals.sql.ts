import type { ChannelComponent, ChannelKind } from '@hengfu/contract/status';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { delayScaleMs } from './status.rules.ts';

/** Calls of one delay class since the last write. */
export interface CallCount {
  delayClass: number;
  answered: number;
  failed: number;
}

/** Adds to this minute's counts. Without counts, an empty row serves as the process's heartbeat. */
export async function addCalls(tx: Tx, counts: readonly CallCount[]): Promise<void> {
  const given = counts.length > 0 ? counts : [{ delayClass: 0, answered: 0, failed: 0 }];
  await sql`
    insert into request_minute as r (minute, delay_class, answered, failed)
    select date_trunc('minute', now()), g."delayClass", g.answered, g.failed
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g ("delayClass" smallint, answered bigint, failed bigint)
    order by 2
    on conflict (minute, delay_class) do update set
      answered = r.answered + excluded.answered, failed = r.failed + excluded.failed`.execute(tx.prepared);
}

/** Runs a trivial statement. */
export async function ping(tx: Tx): Promise<void> {
  await sql`select 1`.execute(tx.prepared);
}

/** Call counts of the last hour and of the last five minutes, by delay class. */
export interface CallSum {
  delayClass: number;
  answered: number;
  failed: number;
  answeredLately: number;
  failedLately: number;
}

/**
 * Sums the calls of the last hour; `isReporting`: a web process has written counts in this minute or the
 * previous one.
 */
export async function sumCalls(tx: Tx): Promise<{ sums: CallSum[]; isReporting: boolean }> {
  const { rows } = await sql<CallSum & { isReporting: boolean }>`
    select delay_class as "delayClass", sum(answered)::integer as answered, sum(failed)::integer as failed,
      coalesce(sum(answered) filter (where minute > now() - interval '5 minutes'), 0)::integer as "answeredLately",
      coalesce(sum(failed) filter (where minute > now() - interval '5 minutes'), 0)::integer as "failedLately",
      max(minute) >= date_trunc('minute', now()) - interval '1 minute' as "isReporting"
    from request_minute where minute > now() - interval '1 hour' group by 1 order by 1`.execute(tx.prepared);
  return { sums: rows, isReporting: rows.some(({ isReporting }) => isReporting) };
}

/** Reads how many seconds the oldest due job and callback have waited for a worker; 0 if none is due. */
export async function readJobDelays(tx: Tx): Promise<{ jobSeconds: number; callbackSeconds: number }> {
  const { rows } = await sql<{ jobSeconds: number; callbackSeconds: number }>`
    select coalesce(job_seconds, 0) as "jobSeconds", coalesce(callback_seconds, 0) as "callbackSeconds"
    from work_delays()`.execute(tx.prepared);
  return rows[0] ?? { jobSeconds: 0, callbackSeconds: 0 };
}

/**
 * Minutes that are counted again each time: transactions in progress at the first count have ended by then.
 */
const recountMinutes = 5;

/**
 * Counts the orders that channels decided, minute by minute, from shortly before the last sample on. Reads
 * each merchant's payments through its index on the payment time, so that the cost grows only with the orders
 * of those minutes.
 */
export async function countChannelOrders(tx: Tx): Promise<void> {
  const { rows } = await sql<{ since: Date }>`
    select greatest(date_trunc('minute', now()) - interval '1 hour',
      (select max(minute) from status_sample where component = 'database') - ${recountMinutes} * interval '1 minute') as since`.execute(
    tx.query,
  );
  const since = rows[0]?.since;
  await sql`delete from channel_minute where minute >= ${since}`.execute(tx.query);
  await sql`
    with ended as (
      select 'collection' as kind, o.channel, true as is_paid, o.created_at as begun_at, o.paid_at as ended_at
        from merchant m cross join lateral (
          select channel, created_at, paid_at from collection c
          where c.merchant_id = m.id and c.paid_at >= ${since} offset 0) o
        where m.mode = 'live'
      union all
      select 'collection', c.channel, false, c.created_at, e.at
        from collection_event e join collection c on c.merchant_id = e.merchant_id and c.id = e.collection_id
        join merchant m on m.id = e.merchant_id
        where m.mode = 'live' and e.status = 'failed' and e.reason = 'channel_refused' and e.at >= ${since}
      union all
      select 'payout', o.channel, true, o.sent_at, o.paid_at
        from merchant m cross join lateral (
          select channel, sent_at, paid_at from payout p
          where p.merchant_id = m.id and p.paid_at >= ${since} offset 0) o
        where m.mode = 'live'
      union all
      select 'payout', channel, false, sent_at, rejected_at
        from payout p join merchant m on m.id = p.merchant_id
        where m.mode = 'live' and rejected_at >= ${since} and sent_at is not null)
    insert into channel_minute (minute, channel, kind, is_paid, delay_class, orders)
    select date_trunc('minute', ended_at), channel, kind, is_paid,
      width_bucket(extract(epoch from ended_at - begun_at)::double precision * 1000, ${[...delayScaleMs]}::double precision[]),
      count(*)
    from ended where channel is not null group by 1, 2, 3, 4, 5`.execute(tx.query);
}

/** Orders of the last hour that a channel decided. */
export interface OrderSum {
  component: ChannelComponent;
  isPaid: boolean;
  delayClass: number;
  orders: number;
}

export async function sumChannelOrders(tx: Tx): Promise<OrderSum[]> {
  const { rows } = await sql<OrderSum>`
    select channel || '.' || kind as component, is_paid as "isPaid", delay_class as "delayClass", sum(orders)::integer as orders
    from channel_minute where minute > now() - interval '1 hour' group by 1, 2, 3`.execute(tx.prepared);
  return rows;
}

/** Counts payouts of the last hour that their channel has left unanswered for five minutes. */
export async function countUnanswered(tx: Tx): Promise<Map<ChannelComponent, number>> {
  const { rows } = await sql<{ component: ChannelComponent; orders: number }>`
    select channel || '.payout' as component, count(*)::integer as orders
    from payout p join merchant m on m.id = p.merchant_id
    where m.mode = 'live' and p.status = 'pendingSettlement' and p.created_at > now() - interval '1 hour'
      and p.sent_at < now() - interval '5 minutes' group by 1`.execute(tx.query);
  return new Map(rows.map(({ component, orders }) => [component, orders]));
}

/** Reads whether each channel is open for collections and for payouts. */
export async function readOpenChannels(tx: Tx): Promise<Map<ChannelComponent, boolean>> {
  const rows = await tx.prepared
    .selectFrom('channel')
    .select(['code', 'collection_open', 'payout_open'])
    .execute();
  const nameOf = (code: string, kind: ChannelKind) => `${code}.${kind}` as ChannelComponent;
  return new Map(
    rows.flatMap(({ code, collection_open, payout_open }) => [
      [nameOf(code, 'collection'), collection_open] as const,
      [nameOf(code, 'payout'), payout_open] as const,
    ]),
  );
}
