import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Seconds that the oldest due job, and the oldest due callback, have waited for a worker; 0 where none is due. */
export async function readWaits(tx: Tx): Promise<{ job: number; callback: number }> {
  const { rows } = await sql<{ job: number; callback: number }>`
    select coalesce(job_seconds, 0) as job, coalesce(callback_seconds, 0) as callback from work_delays()`.execute(
    tx.prepared,
  );
  return rows[0] ?? { job: 0, callback: 0 };
}

/** A payout's status; `held` for one that was not sent because its merchant is suspended. Aliases `p` and `m`. */
const payoutState = sql`case when p.status = 'pending' and m.suspended_at is not null then 'held' else p.status end`;

/** Payouts of all merchants that have not come to their end, by status (or `held`) and age. */
export interface UnfinishedPayouts {
  status: string;
  underTenMinutes: number;
  underAnHour: number;
  overAnHour: number;
  /** Age of the oldest in seconds. */
  oldest: number;
}

export async function readUnfinishedPayouts(tx: Tx): Promise<UnfinishedPayouts[]> {
  const { rows } = await sql<UnfinishedPayouts>`
    select ${payoutState} as status, extract(epoch from now() - min(p.created_at))::double precision as oldest,
      (count(*) filter (where p.created_at > now() - interval '10 minutes'))::integer as "underTenMinutes",
      (count(*) filter (where p.created_at <= now() - interval '10 minutes'
        and p.created_at > now() - interval '1 hour'))::integer as "underAnHour",
      (count(*) filter (where p.created_at <= now() - interval '1 hour'))::integer as "overAnHour"
    from payout p join merchant m on m.id = p.merchant_id
    where status in ('pending', 'processing', 'pendingSettlement') group by 1`.execute(tx.prepared);
  return rows;
}

/** What the last proof of the ledger found, and the seconds since; undefined before the first one. */
export async function readLastProof(tx: Tx): Promise<{ violations: number; age: number } | undefined> {
  const { rows } = await sql<{ violations: number; age: number }>`
    select violation_count as violations, extract(epoch from now() - ended_at)::double precision as age
    from ledger_proof order by id desc limit 1`.execute(tx.prepared);
  return rows[0];
}

/** Orders that a channel decided in the last hour, by what it said; payouts that it has said nothing of for five minutes. */
export interface ChannelOrders {
  channel: string;
  kind: string;
  outcome: 'paid' | 'refused' | 'unanswered';
  orders: number;
}

export async function readChannelOrders(tx: Tx): Promise<ChannelOrders[]> {
  const { rows } = await sql<ChannelOrders>`
    select channel, kind, case when is_paid then 'paid' else 'refused' end as outcome, sum(orders)::integer as orders
      from channel_minute where minute > now() - interval '1 hour' group by 1, 2, 3
    union all
    select channel, 'payout', 'unanswered', count(*)::integer from payout
      where status = 'pendingSettlement' and created_at > now() - interval '1 hour'
        and sent_at < now() - interval '5 minutes' group by 1`.execute(tx.prepared);
  return rows;
}

/** Each use of each channel, and whether the staff has it open. */
export async function readChannels(tx: Tx): Promise<{ channel: string; kind: string; isOpen: boolean }[]> {
  const rows = await tx.prepared
    .selectFrom('channel')
    .select(['code', 'collection_open', 'payout_open'])
    .execute();
  return rows.flatMap(({ code: channel, collection_open, payout_open }) => [
    { channel, kind: 'collection', isOpen: collection_open },
    { channel, kind: 'payout', isOpen: payout_open },
  ]);
}

/** A payout that has not come to its end. */
export interface UnfinishedPayout {
  tradeNo: string;
  merchant: string;
  channel: string;
  status: string;
  amountMinor: bigint;
  currency: Currency;
  createdAt: Date;
  sentAt: Date | null;
}

/** Those of all merchants that are older than some minutes, the oldest first. */
export async function listUnfinishedPayouts(
  tx: Tx,
  olderMinutes: number,
  limit: number,
): Promise<UnfinishedPayout[]> {
  const { rows } = await sql<UnfinishedPayout>`
    select p.trade_no as "tradeNo", m.code as merchant, p.channel, ${payoutState} as status, p.amount_minor as "amountMinor", p.currency,
      p.created_at as "createdAt", p.sent_at as "sentAt"
    from payout p join merchant m on m.id = p.merchant_id
    where p.status in ('pending', 'processing', 'pendingSettlement')
      and p.created_at < now() - ${olderMinutes} * interval '1 minute'
    order by p.created_at limit ${limit}`.execute(tx.query);
  return rows;
}

/** One event of a payout. `refusal` is the code of a rejection; `detail` the words of the bank, or of the operator. */
export interface TimelineEntry {
  at: Date;
  status: string;
  reason: string | null;
  refusal: string | null;
  detail: string | null;
}

/** Reads all events of a payout, whichever its merchant, oldest first. */
export async function readTimeline(tx: Tx, tradeNo: string): Promise<TimelineEntry[]> {
  return tx.query
    .selectFrom('payout_event as e')
    .innerJoin('payout as p', (join) =>
      join.onRef('p.merchant_id', '=', 'e.merchant_id').onRef('p.id', '=', 'e.payout_id'),
    )
    .select(['e.at', 'e.status', 'e.reason', 'e.refusal', 'e.detail'])
    .where('p.trade_no', '=', tradeNo)
    .orderBy('e.id')
    .execute();
}
