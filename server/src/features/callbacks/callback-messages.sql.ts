import { type CallbackQuery, type CallbackState, ownRoute } from '@hengfu/contract/callback-messages';
import { type RawBuilder, sql } from 'kysely';
import type { SubjectKind } from '#callbacks/callbacks.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { any, between, type ListSource } from '#domain/list-source.sql.ts';

/** A callback as its merchant sees it. */
export interface CallbackMessage {
  id: string;
  subjectKind: SubjectKind;
  subjectNo: string;
  event: string;
  url: string;
  endpoint: { id: bigint; description: string | null; isRemoved: boolean } | undefined;
  isHeld: boolean;
  attempts: number;
  createdAt: Date;
  deliveredAt: Date | null;
  givenUpAt: Date | null;
  isSkipped: boolean;
  resentAt: Date | null;
}

interface MessageRow {
  id: string;
  subject_kind: SubjectKind;
  subject_no: string;
  event: string;
  url: string;
  endpoint_id: bigint | null;
  description: string | null;
  is_removed: boolean | null;
  is_held: boolean;
  attempts: number;
  created_at: Date;
  delivered_at: Date | null;
  given_up_at: Date | null;
  is_skipped: boolean;
  resent_at: Date | null;
}

const columns = sql`m.id, m.subject_kind, m.subject_no, m.event, coalesce(e.url, m.url) as url, m.endpoint_id, e.description,
  e.state = 'removed' as is_removed, m.attempts, m.created_at, m.delivered_at, m.given_up_at, m.is_skipped, m.resent_at,
  m.endpoint_id is not null and m.delivered_at is null and exists (
    select from callback_held h where h.merchant_id = m.merchant_id and h.message_id = m.id) as is_held`;
const from = sql`callback_message m
  left join callback_endpoint e on e.merchant_id = m.merchant_id and e.id = m.endpoint_id`;
/** The place of a message among those of the same millisecond, as the indexes of the list have it. */
const place = sql`(uuid_hash_extended(m.id, 0) & 36028797018963967)`;
const instantOf = sql`m.created_at::timestamptz(3)`;

/** The condition of each state, as `stateOf` decides it. */
const states: Readonly<Record<CallbackState, RawBuilder<unknown>>> = {
  delivered: sql`m.delivered_at is not null`,
  waiting: sql`m.delivered_at is null and m.given_up_at is null`,
  givenUp: sql`m.delivered_at is null and m.given_up_at is not null and not m.is_skipped`,
  skipped: sql`m.delivered_at is null and m.given_up_at is not null and m.is_skipped`,
};

function toMessage(row: MessageRow): CallbackMessage {
  return {
    id: row.id,
    subjectKind: row.subject_kind,
    subjectNo: row.subject_no,
    event: row.event,
    url: row.url,
    endpoint:
      row.endpoint_id === null
        ? undefined
        : { id: row.endpoint_id, description: row.description, isRemoved: row.is_removed === true },
    isHeld: row.is_held,
    attempts: row.attempts,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    givenUpAt: row.given_up_at,
    isSkipped: row.is_skipped,
    resentAt: row.resent_at,
  };
}

/** The list of the merchant's callbacks. */
export function messageSource(tx: MerchantTx, query: Omit<CallbackQuery, 'limit' | 'cursor'>): ListSource {
  return {
    columns,
    from,
    orderedBy: instantOf,
    id: place,
    where: [
      sql`m.merchant_id = ${tx.merchantId}`,
      query.order_no === undefined ? undefined : isAbout(tx, query.order_no),
      query.event && sql`m.event = any (${query.event}::text[])`,
      query.endpoint === undefined ? undefined : isFor(query.endpoint),
      between(instantOf, query.createdFrom, query.createdTo),
      any(query.state?.map((state) => sql`(${states[state]})`)),
    ],
  };
}

/** Reads a page of the merchant's callbacks. */
export async function listMessages(tx: MerchantTx, query: CallbackQuery): Promise<Page<CallbackMessage>> {
  const page = await readPage<MessageRow>(tx, messageSource(tx, query), query);
  return { ...page, rows: page.rows.map(toMessage) };
}

/** Finds the callbacks about an order by our number, or by the merchant's own. */
function isAbout({ merchantId }: MerchantTx, orderNo: string): RawBuilder<unknown> {
  return sql`m.subject_no = any (array[${orderNo}::text] || array(
    select trade_no from collection where merchant_id = ${merchantId} and out_trade_no = ${orderNo}
    union all
    select trade_no from payout where merchant_id = ${merchantId} and out_trade_no = ${orderNo}))`;
}

function isFor(endpoint: string): RawBuilder<unknown> {
  return endpoint === ownRoute ? sql`m.endpoint_id is null` : sql`m.endpoint_id = ${endpoint}::bigint`;
}

/** Returns the body of a callback that the merchant has. */
export async function readBody(tx: MerchantTx, id: string): Promise<string> {
  const { body } = await tx.query
    .selectFrom('callback_message')
    .select('body')
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return body;
}

/** Finds those of some callbacks that the merchant has. */
export async function findMessages(tx: MerchantTx, ids: readonly string[]): Promise<CallbackMessage[]> {
  const { rows } = await sql<MessageRow>`
    select ${columns} from ${from} where m.merchant_id = ${tx.merchantId} and m.id = any (${ids}::uuid[])`.execute(
    tx.query,
  );
  return rows.map(toMessage);
}
