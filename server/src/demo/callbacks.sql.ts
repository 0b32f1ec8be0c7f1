import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** An attempt of a demo message. Times in milliseconds since 1970. */
export interface DemoAttempt {
  attempt: number;
  at: number;
  httpStatus: number | null;
  failure: 'timeout' | 'unreachable' | null;
  durationMs: number;
  reply: string | null;
  isResend: boolean;
}

/** A demo message to an endpoint. */
export interface DemoMessage {
  id: string;
  endpointId: string;
  subjectKind: 'collection' | 'payout';
  subjectNo: string;
  event: string;
  url: string;
  body: string;
  createdAt: number;
  state: 'delivered' | 'held' | 'givenUp' | 'skipped';
  /** When it was delivered or given up. */
  endedAt: number | null;
  resentAt: number | null;
  attempts: DemoAttempt[];
}

/** Numbers of orders that have an event to report. */
export interface Reported {
  kind: 'collection' | 'payout';
  tradeNo: string;
}

/** Lists the newest paid collections and ended payouts, and one of each four days ago. */
export async function listReported(
  tx: MerchantTx,
  counts: { collections: number; payouts: number },
): Promise<Reported[]> {
  const { merchantId } = tx;
  const { rows } = await sql<Reported>`
    select 'collection' as kind, trade_no as "tradeNo" from (
      select trade_no from collection where merchant_id = ${merchantId} and paid_at is not null order by id desc limit ${counts.collections}) c
    union all
    select 'payout', trade_no from (
      select trade_no from payout where merchant_id = ${merchantId} and status in ('processed', 'rejected')
      order by id desc limit ${counts.payouts}) p
    union all
    select 'collection', trade_no from (
      select trade_no from collection
      where merchant_id = ${merchantId} and paid_at < now() - interval '4 days' order by id desc limit 1) o`.execute(
    tx.query,
  );
  return rows;
}

/** Lists paid collections of the last days, evenly spread. */
export async function listSpread(
  tx: MerchantTx,
  { days, count }: { days: number; count: number },
): Promise<Reported[]> {
  const { rows } = await sql<Reported>`
    select distinct on (bucket) 'collection' as kind, trade_no as "tradeNo" from (
      select trade_no, paid_at, width_bucket(extract(epoch from paid_at), extract(epoch from now() - ${days}::integer * interval '1 day'),
        extract(epoch from now()), ${count}::integer) as bucket
      from collection where merchant_id = ${tx.merchantId} and paid_at > now() - ${days}::integer * interval '1 day') c
    order by bucket, paid_at`.execute(tx.query);
  return rows;
}

/** Backdates an endpoint. One that fails has done so since an instant, and is paused. */
export async function backdateEndpoint(
  tx: MerchantTx,
  id: bigint,
  { createdAt, failingSince }: { createdAt: Date; failingSince: Date | null },
): Promise<void> {
  await tx.query
    .updateTable('callback_endpoint')
    .set({
      created_at: createdAt,
      failing_since: failingSince,
      ...(failingSince !== null && { state: 'autoPaused' as const }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .execute();
}

/** The path at which the sandbox bank plays the system of a merchant. */
export const shopPath = '/shop/callbacks';
/** The description of its endpoint. */
export const shopName = '财务记账';

/** Leads the callbacks that the sandbox bank receives to its address of this start. */
export async function moveShopEndpoints(tx: Tx, sandboxUrl: string): Promise<void> {
  const url = sandboxUrl + shopPath;
  await tx.query
    .updateTable('callback_endpoint')
    .set({ url })
    .where('description', '=', shopName)
    .where('url', 'like', `http://127.0.0.1:%${shopPath}`)
    .where('url', '<>', url)
    .execute();
}

/** Inserts messages with their attempts, and holds those that wait for their endpoint. */
export async function insertDemoMessages(tx: MerchantTx, messages: readonly DemoMessage[]): Promise<void> {
  const { merchantId } = tx;
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m (id uuid, "endpointId" bigint, "subjectKind" text,
        "subjectNo" text, event text, url text, body text, "createdAt" bigint, state text, "endedAt" bigint, "resentAt" bigint, attempts jsonb)
    ), added as (
      insert into callback_message (id, merchant_id, subject_kind, subject_no, event, url, body, endpoint_id, created_at, attempts,
        delivered_at, given_up_at, is_skipped, resent_at)
      select id, ${merchantId}::bigint, "subjectKind", "subjectNo", event, url, body, "endpointId", to_timestamp("createdAt" / 1000.0),
        jsonb_array_length(attempts),
        case when state = 'delivered' then to_timestamp("endedAt" / 1000.0) end,
        case when state in ('givenUp', 'skipped') then to_timestamp("endedAt" / 1000.0) end,
        state = 'skipped', to_timestamp("resentAt" / 1000.0)
      from given
      returning id
    ), held as (
      insert into callback_held (merchant_id, message_id, endpoint_id, held_at)
      select ${merchantId}::bigint, id, "endpointId", to_timestamp("createdAt" / 1000.0) from given join added using (id)
      where state = 'held'
    )
    insert into callback_attempt (merchant_id, message_id, attempt, at, http_status, failure, duration_ms, reply, is_resend)
    select ${merchantId}::bigint, id, a.attempt, to_timestamp(a.at / 1000.0), a."httpStatus", a.failure, a."durationMs", a.reply,
      a."isResend"
    from given join added using (id), jsonb_to_recordset(given.attempts) as a (attempt integer, at bigint, "httpStatus" integer,
      failure text, "durationMs" integer, reply text, "isResend" boolean)`.execute(tx.query);
}
