import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';

/** Reads how many seconds the oldest due job and callback have waited for a worker; 0 if none is due. */
export async function readWaits(tx: Tx): Promise<{ job: number; callback: number }> {
  const { rows } = await sql<{ job: number; callback: number }>`
    select coalesce(job_seconds, 0) as job, coalesce(callback_seconds, 0) as callback from work_delays()`.execute(
    tx.prepared,
  );
  return rows[0] ?? { job: 0, callback: 0 };
}

/** Reads for how many seconds the recurring task that has failed longest has failed at each run; 0 if none does. */
export async function readFailingSeconds(tx: Tx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(failing_since)), 0)::double precision as seconds from failing_task
    where task <> 'ledger.prove'`.execute(tx.prepared);
  return rows[0]?.seconds ?? 0;
}

/**
 * A payout's status; `held` if it is unsent because its merchant is suspended, `unapproved` if it waits for its merchant's approval.
 * Aliases `p` and `m`.
 */
const payoutState = sql`case when p.status = 'pending' and m.suspended_at is not null then 'held'
  when p.approval_state = 'waiting' then 'unapproved' else p.status end`;

/**
 * Unfinished payouts of all merchants, by status (or `held`, `unapproved`) and age. A payout that was sent is as old as that; an unsent one
 * as the last of its creation, its approval and its merchant's reactivation, since when it could have been sent.
 */
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
    with reactivated as materialized (
      select u.merchant_id, (select max(a.at) from audit a
        where a.merchant_id = u.merchant_id and a.action = 'merchant.reactivate' and a.at > u.oldest) as at
      from (select merchant_id, min(created_at) as oldest from payout where status = 'pending' group by 1) u
    ), batch_approved as materialized (
      select u.merchant_id, u.batch_no, max(q.ended_at) as at
      from (select distinct merchant_id, batch_no from payout
        where status = 'pending' and approval_state = 'approved' and batch_no is not null) u
      join approval_request q on q.merchant_id = u.merchant_id and q.kind = 'batch' and q.subject_no = u.batch_no
      group by 1, 2
    ), unfinished as (
      select ${payoutState} as status, coalesce(p.sent_at, greatest(p.created_at, r.at, b.at, q.ended_at)) as since
      from payout p join merchant m on m.id = p.merchant_id left join reactivated r on r.merchant_id = p.merchant_id
      left join batch_approved b on b.merchant_id = p.merchant_id and b.batch_no = p.batch_no
      -- A payout has a request of its own unless it was approved with its batch.
      left join lateral (select max(ended_at) as ended_at from approval_request
        where p.status = 'pending' and p.approval_state = 'approved' and b.at is null
          and merchant_id = p.merchant_id and kind = 'payout' and subject_no = p.trade_no) q on true
      where m.mode = 'live' and p.status in ('pending', 'processing', 'pendingSettlement')
    )
    select status, extract(epoch from now() - min(since))::double precision as oldest,
      (count(*) filter (where since > now() - interval '10 minutes'))::integer as "underTenMinutes",
      (count(*) filter (where since <= now() - interval '10 minutes'
        and since > now() - interval '1 hour'))::integer as "underAnHour",
      (count(*) filter (where since <= now() - interval '1 hour'))::integer as "overAnHour"
    from unfinished group by 1`.execute(tx.prepared);
  return rows;
}

/** The last proof of the ledger. */
export interface LastProof {
  /** Null before the first. */
  violations: number | null;
  /** Seconds since it ended; before the first one, since the first merchant was created; null if there is none. */
  age: number | null;
}

export async function readLastProof(tx: Tx): Promise<LastProof> {
  const { rows } = await sql<LastProof>`
    select p.violation_count as violations,
      extract(epoch from now() - coalesce(p.ended_at, (select min(created_at) from merchant)))::double precision as age
    from (select) one
    left join (select violation_count, ended_at from ledger_proof order by id desc limit 1) p on true`.execute(
    tx.prepared,
  );
  return rows[0] ?? { violations: null, age: null };
}

/** Reads for how many months after the current one the partitions exist. */
export async function readMonthsReady(tx: Tx): Promise<number> {
  const { rows } = await sql<{ ready: number }>`select months_ready() as ready`.execute(tx.prepared);
  return rows[0]?.ready ?? 0;
}

/** Reads for how many seconds the oldest audit row has waited to be sealed; 0 if none does. */
export async function readUnsealedSeconds(tx: Tx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::double precision as seconds from audit
    where id > coalesce((select to_id from audit_root order by number desc limit 1), 0)`.execute(tx.prepared);
  return rows[0]?.seconds ?? 0;
}

/** How PostgreSQL's own archiving of WAL is doing. */
export interface WalState {
  /** Seconds since the last segment was archived, or since PostgreSQL started if none was. */
  age: number;
  /** Failed attempts since the statistics were reset. */
  failures: number;
}

/** Reads PostgreSQL's statistics of archiving; undefined if it archives nothing. */
export async function readWalState(tx: Tx): Promise<WalState | undefined> {
  const { rows } = await sql<WalState>`
    select extract(epoch from now() - coalesce(last_archived_time, pg_postmaster_start_time()))::double precision as age,
      failed_count::double precision as failures
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`.execute(tx.prepared);
  return rows[0];
}

/**
 * Orders of the last hour by the channel's decision; `unanswered`: payouts without an answer for five
 * minutes.
 */
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
    select channel, 'payout', 'unanswered', count(*)::integer from payout p join merchant m on m.id = p.merchant_id
      where m.mode = 'live' and p.status = 'pendingSettlement' and p.created_at > now() - interval '1 hour'
        and p.sent_at < now() - interval '5 minutes' group by 1`.execute(tx.prepared);
  return rows;
}

/** Reads whether staff has opened each channel for collections and for payouts. */
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

/** An unfinished payout. */
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

/** Lists unfinished payouts of all merchants older than some minutes, oldest first. */
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

/**
 * One event of a payout. `refusal` is the code of a rejection; `detail` is the bank's or the operator's
 * wording.
 */
export interface TimelineEntry {
  at: Date;
  status: string;
  reason: string | null;
  refusal: string | null;
  detail: string | null;
}

/** Commands of the last hour that did not wait for a second person: those that were carried out, or may have been, and those that were refused. */
export interface CommandsAlone {
  acted: number;
  refused: number;
  /** When the last one that did something began, of those that began more than a minute ago. */
  lastAt: Date | null;
}

/** Counts the commands of the last hour for which an operator did not wait for a second person. */
export function countCommandsAlone(tx: Tx): Promise<CommandsAlone> {
  return tx.query
    .selectFrom('staff_alert_count')
    .select(['of_hour as acted', 'refused_of_hour as refused', 'last_at as lastAt'])
    .executeTakeFirstOrThrow();
}

/** Counts the payouts whose outcome a report contradicts. */
export async function countContradictedPayouts(tx: Tx): Promise<number> {
  const { count } = await tx.query
    .selectFrom('staff_contradicted_payout')
    .select(sql<bigint>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A payout whose timeline is read. */
export interface TimelineOrder {
  id: bigint;
  merchantId: bigint;
  createdAt: Date;
}

/** Finds a payout of any merchant by its number. */
export async function findTimelineOrder(tx: Tx, tradeNo: string): Promise<TimelineOrder | undefined> {
  return tx.query
    .selectFrom('payout')
    .select(['id', 'merchant_id as merchantId', 'created_at as createdAt'])
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst();
}

/** Reads the events of a payout that are in the database, oldest first. */
export async function readTimeline(
  tx: Tx,
  { id, merchantId, createdAt }: TimelineOrder,
): Promise<TimelineEntry[]> {
  return tx.query
    .selectFrom('payout_event')
    .select(['at', 'status', 'reason', 'refusal', 'detail'])
    .where('merchant_id', '=', merchantId)
    .where('payout_id', '=', id)
    .where('at', '>=', historyStart(createdAt))
    .orderBy('id')
    .execute();
}
