import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { type MessageEndpoint, toMessageEndpoint } from './endpoints.sql.ts';

/** The kind of order that a callback reports; its feature is called back on acknowledgment. */
export type SubjectKind = 'collection' | 'payout';

export interface NewMessage {
  subjectKind: SubjectKind;
  /** Public number of the order. */
  subjectNo: string;
  event: string;
  /** The callback URL of the order; null if it has none. */
  url: string | null;
  body: string;
}

export interface Message extends NewMessage {
  id: string;
  merchantId: bigint;
  /** Where it goes now. */
  url: string;
  /** The endpoint that it is for; undefined for the callback URL of its order. */
  endpoint: MessageEndpoint | undefined;
  attempts: number;
  /** Those before it was last sent again, or its endpoint was last turned on. */
  attemptsBefore: number;
  /** When that was, to the microsecond; null if never. */
  retriedFrom: string | null;
  isDone: boolean;
  /** Whether somebody had it sent again. */
  isResend: boolean;
}

/** A message that is due. */
export interface DueMessage extends Message {
  /** Whether the merchant's last call to this origin got no answer. */
  isFailing: boolean;
  /** Whether the merchant's circuit breaker for this origin is open, and this message probes it. */
  isTrial: boolean;
  ageSeconds: number;
}

const giveUpBatchSize = 500;

/** The tasks that deliver a message: to the callback URL of its order, or to an endpoint. */
export const deliveryTasks = { order: 'callbacks.deliver', endpoint: 'callbacks.endpoint' } as const;

/**
 * Stores the messages of an event and schedules their delivery, all in one statement: one to the callback URL of the order, if there is
 * one, and one to each endpoint that receives the event. Those for endpoints that are paused are held. Returns how many were scheduled.
 */
export async function insertMessages(
  tx: MerchantTx,
  message: NewMessage,
  maxAttempts: number,
): Promise<number> {
  const { subjectKind, subjectNo, event, url, body } = message;
  const { origin = null, hostname = null } = url === null ? {} : new URL(url);
  const { rows } = await sql<{ scheduled: number }>`
    with route as materialized (
      select gen_random_uuid() as id, null::bigint as endpoint_id, ${url}::text as url, ${origin}::text as origin, ${hostname}::text as host,
        false as is_held
      where ${url}::text is not null
      union all
      select gen_random_uuid(), e.id, e.url, e.origin, e.host, e.state <> 'on' from callback_endpoint e
      where e.merchant_id = ${tx.merchantId} and e.state in ('on', 'paused', 'autoPaused')
        and (e.events is null or ${event}::text = any (e.events))
    ), made as (
      insert into callback_message (id, merchant_id, subject_kind, subject_no, event, url, body, endpoint_id)
      select id, ${tx.merchantId}::bigint, ${subjectKind}::text, ${subjectNo}::text, ${event}::text, url, ${body}::text, endpoint_id
      from route
    ), held as (
      insert into callback_held (merchant_id, message_id, endpoint_id)
      select ${tx.merchantId}::bigint, id, endpoint_id from route where is_held
    )
    select count(*)::integer as scheduled from route, lateral enqueue_job(
      case when endpoint_id is null then ${deliveryTasks.order}::text else ${deliveryTasks.endpoint}::text end,
      json_build_object('id', id, 'merchantId', ${String(tx.merchantId)}::text, 'target', origin, 'host', host, 'orderNo', ${subjectNo}::text),
      0, 'callback:' || id, ${maxAttempts}::integer)
    where not is_held`.execute(tx.prepared);
  return rows[0]?.scheduled ?? 0;
}

/** Finds a merchant's message by its id, and whether its origin is failing for the merchant. */
export async function findMessage(
  tx: Tx,
  { merchantId, id }: { merchantId: bigint; id: string },
  origin: string,
): Promise<Omit<DueMessage, 'isTrial'> | undefined> {
  const row = await tx.prepared
    .selectFrom('callback_message as m')
    .leftJoin('merchant_breaker as b', (join) =>
      join.onRef('b.merchant_id', '=', 'm.merchant_id').on('b.target', '=', origin),
    )
    .leftJoin('callback_endpoint as e', (join) =>
      join.onRef('e.merchant_id', '=', 'm.merchant_id').onRef('e.id', '=', 'm.endpoint_id'),
    )
    .selectAll('m')
    .select([
      'b.failures',
      sql<number>`extract(epoch from now() - coalesce(m.retried_from, m.created_at))::float8`.as('age'),
      sql<string | null>`m.retried_from::text`.as('retried_from_text'),
      'e.state',
      'e.url as endpoint_url',
      'e.secret_encrypted',
      'e.failing_since',
      sql<Buffer | null>`case when e.previous_ends_at > now() then e.previous_secret_encrypted end`.as(
        'previous_secret',
      ),
    ])
    .where('m.merchant_id', '=', merchantId)
    .where('m.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    subjectKind: row.subject_kind as SubjectKind,
    subjectNo: row.subject_no,
    event: row.event,
    url: row.endpoint_url ?? row.url,
    body: row.body,
    endpoint: toMessageEndpoint(row),
    attempts: row.attempts,
    attemptsBefore: row.attempts_before,
    retriedFrom: row.retried_from_text,
    isResend: row.resent_at !== null,
    isDone: row.delivered_at !== null || row.given_up_at !== null,
    isFailing: row.failures !== null,
    ageSeconds: row.age,
  };
}

/**
 * Gives up messages that wait for an origin and are older than `seconds`, a batch at a time: while the
 * circuit breaker is open they are not tried one by one. Those for endpoints wait until theirs is paused, which keeps them.
 */
export async function giveUpOld(tx: MerchantTx, origin: string, seconds: number): Promise<void> {
  await sql`
    with old as materialized (
      select j.id, m.id as message_id from merchant_job j
      join callback_message m on m.id = (j.payload ->> 'id')::uuid and m.merchant_id = ${tx.merchantId} and m.endpoint_id is null
      where j.line = 'callbacks' and j.merchant_id = ${tx.merchantId} and j.lane = hashtextextended(${origin}, 0)
        and j.worker is null and j.target = ${origin} and coalesce(m.retried_from, m.created_at) < now() - ${seconds} * interval '1 second'
      order by j.due_at limit ${giveUpBatchSize} for update of j skip locked
    ), gone as (delete from merchant_job j using old where j.id = old.id)
    update callback_message m set given_up_at = now() from old
    where m.merchant_id = ${tx.merchantId} and m.id = old.message_id and m.delivered_at is null
      and m.given_up_at is null`.execute(tx.prepared);
}

/** Gives up a message without counting an attempt. Does nothing if it is done. */
export async function giveUp(tx: MerchantTx, { id }: Pick<Message, 'id'>): Promise<void> {
  await tx.prepared
    .updateTable('callback_message')
    .set({ given_up_at: sql<Date>`now()` })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .where('given_up_at', 'is', null)
    .execute();
}

/** Finds the encrypted secrets that sign a merchant's callbacks: of its keys neither revoked nor expired. */
export async function findSigningKeys(tx: Tx, merchantId: bigint): Promise<Buffer[]> {
  const rows = await tx.query
    .selectFrom('access_key')
    .select('secret_encrypted')
    .where('merchant_id', '=', merchantId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map((row) => row.secret_encrypted);
}

/** An attempt that was counted. */
interface CountedAttempt {
  attempt: number;
  /** The message was sent again after the attempt had begun, so that another delivery decides what follows. */
  isOvertaken: boolean;
}

/**
 * Counts an attempt of a message, with its end if this attempt was the last. An attempt that was overtaken counts among those before the message
 * was sent again, and ends it only if it delivered. Returns undefined if the attempt has been counted already.
 */
export async function countAttempt(
  tx: MerchantTx,
  { id, attempts, attemptsBefore, retriedFrom }: Message,
  end: 'delivered' | 'givenUp' | undefined,
): Promise<CountedAttempt | undefined> {
  const isOvertaken = sql`(retried_from is distinct from ${retriedFrom}::timestamptz)`;
  const isDelivered = sql`${end === 'delivered'}::boolean`;
  const isGivenUp = sql`(${end === 'givenUp'}::boolean and not ${isOvertaken})`;
  const { rows } = await sql<CountedAttempt>`
    update callback_message set
      attempts = attempts + 1,
      attempts_before = attempts_before + ${isOvertaken}::integer,
      delivered_at = case when ${isDelivered} then now() else delivered_at end,
      given_up_at = case when ${isDelivered} then null when ${isGivenUp} then now() else given_up_at end
    where merchant_id = ${tx.merchantId} and id = ${id}
      and (${isOvertaken} or attempts - attempts_before = ${attempts - attemptsBefore}::integer)
    returning attempts as attempt, ${isOvertaken} as "isOvertaken"`.execute(tx.prepared);
  return rows[0];
}

/** A message that counts as unsent again. */
export type ReopenedMessage = Pick<Message, 'id' | 'url' | 'event' | 'subjectNo'> & {
  isForEndpoint: boolean;
};

/**
 * Makes those of some callbacks count as unsent that the merchant has and whose endpoint was not removed; with `subjectNo`, only those
 * about that order.
 */
export async function reopenMessages(
  tx: MerchantTx,
  ids: readonly string[],
  subjectNo?: string,
): Promise<ReopenedMessage[]> {
  const rows = await tx.query
    .updateTable('callback_message')
    .set({
      delivered_at: null,
      given_up_at: null,
      is_skipped: false,
      resent_at: sql<Date>`now()`,
      retried_from: sql<Date>`now()`,
      attempts_before: sql<number>`attempts`,
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', 'in', ids)
    .$if(subjectNo !== undefined, (update) => update.where('subject_no', '=', subjectNo ?? ''))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('callback_endpoint as e')
            .select('e.id')
            .whereRef('e.merchant_id', '=', 'callback_message.merchant_id')
            .whereRef('e.id', '=', 'callback_message.endpoint_id')
            .where('e.state', '=', 'removed'),
        ),
      ),
    )
    .returning(['id', 'url', 'event', 'subject_no as subjectNo', 'endpoint_id'])
    .execute();
  return rows.map(({ endpoint_id, ...row }) => ({ ...row, isForEndpoint: endpoint_id !== null }));
}
