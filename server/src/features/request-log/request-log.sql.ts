import {
  type RequestLogQuery,
  type RequestReason,
  type RequestResult,
  refusedPerHour,
  requestLogDays,
  requestResults,
} from '@hengfu/contract/request-log';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { beginsWith, between, equal, equalAddress, type ListSource } from '#domain/list-source.sql.ts';
import { timeOfRequest } from '#domain/request-ids.ts';

/** A signed call, as a list shows it. */
export interface CallRow {
  request_id: string;
  at: Date;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_ms: number;
  key_id: string;
  address: string | null;
  trade_no: string | null;
  out_trade_no: string | null;
}

/** A signed call with its bodies. */
export interface CallDetail extends CallRow {
  query: string | null;
  reason: RequestReason | null;
  request_bytes: number;
  request_body: string | null;
  is_request_cut: boolean;
  response_bytes: number;
  response_body: string | null;
  is_response_cut: boolean;
}

export type RequestFilters = Omit<RequestLogQuery, 'limit' | 'cursor'>;

const columns = sql`r.request_id, r.at, r.method, r.path, r.status, r.code, r.duration_ms, r.key_id, host(r.address) as address,
  r.trade_no, r.out_trade_no`;

/** Constants, so that the index of refused calls is used. */
const resultIs: Readonly<Record<RequestResult, RawBuilder<unknown>>> = {
  done: sql`r.status < 400`,
  refused: sql`r.status >= 400 and r.status < 500`,
  failed: sql`r.status >= 500`,
};

/** More than what rounding a time to milliseconds takes away. */
const roundingSeconds = 0.01;

/** The choices of a filter as one condition; undefined if it is not set or excludes nothing. */
function anyOf(results: readonly RequestResult[] | undefined): RawBuilder<unknown> | undefined {
  if (!results || results.length === requestResults.length) return undefined;
  // One condition that implies the index of refused calls, instead of one for each choice.
  if (!results.includes('done') && results.length > 1) return sql`r.status >= 400`;
  return sql`(${sql.join(
    results.map((result) => sql`(${resultIs[result]})`),
    sql` or `,
  )})`;
}

/** Our number of the order, or the merchant's own: two conditions, each with an index. */
const ofOrder = (number: string): RawBuilder<unknown>[] => [
  sql`r.trade_no = ${number}`,
  sql`r.out_trade_no = ${number} and r.trade_no is distinct from ${number}`,
];

/** Builds the list source of the signed calls that are rows. */
export function requestSource(tx: MerchantTx, query: RequestFilters): ListSource {
  const { request_id: requestId, order_no: orderNo, code } = query;
  return {
    columns,
    from: sql`api_request r`,
    orderedBy: sql`r.at`,
    id: sql`r.id`,
    either: orderNo === undefined ? undefined : ofOrder(orderNo),
    where: [
      sql`r.merchant_id = ${tx.merchantId}`,
      anyOf(query.result),
      query.method && sql`r.method = any(${query.method}::text[])`,
      beginsWith(sql`r.path collate "C"`, query.path),
      code === undefined ? undefined : sql`r.code = ${code} and r.status >= 400`,
      equal(sql`r.key_id`, query.keyId),
      equalAddress(sql`r.address`, query.address),
      requestId === undefined ? undefined : isRequest(requestId),
      between(sql`r.at`, query.createdFrom, query.createdTo),
    ],
  };
}

/** The condition for the call of an ID, which begins with its time. */
function isRequest(id: string): RawBuilder<unknown> {
  const at = timeOfRequest(id);
  if (!at) return sql`false`;
  const [from, to] = [-roundingSeconds, roundingSeconds].map((seconds) => at.getTime() / 1000 + seconds);
  return sql`r.at between to_timestamp(${from}::float8) and to_timestamp(${to}::float8) and r.request_id = ${id}::uuid`;
}

/** Returns the number of calls that were counted only, of the time and key of a query. */
export async function countUnrecorded(tx: MerchantTx, query: RequestFilters): Promise<number> {
  const where = [
    sql`c.merchant_id = ${tx.merchantId}`,
    equal(sql`c.key_id`, query.keyId),
    query.createdFrom === undefined
      ? undefined
      : sql`c.hour > ${query.createdFrom}::timestamptz - interval '1 hour'`,
    query.createdTo === undefined ? undefined : sql`c.hour < ${query.createdTo}::timestamptz`,
  ].filter((condition) => condition !== undefined);
  const { rows } = await sql<{ calls: string | null }>`
    select sum(greatest(c.refused - ${refusedPerHour}::integer, 0) + greatest(c.unverified - ${refusedPerHour}::integer, 0)
      + c.lost)::text as calls
    from api_request_count c where ${sql.join(where, sql` and `)}`.execute(tx.query);
  return Number(rows[0]?.calls ?? 0);
}

/** Finds a signed call that is a row, with its bodies. */
export async function findRequest(tx: MerchantTx, requestId: string): Promise<CallDetail | undefined> {
  const { rows } = await sql<CallDetail>`
    select ${columns}, r.query, r.reason, r.request_bytes, r.request_body, r.is_request_cut, r.response_bytes, r.response_body,
      r.is_response_cut
    from api_request r where r.merchant_id = ${tx.merchantId} and ${isRequest(requestId)} limit 1`.execute(
    tx.query,
  );
  return rows[0];
}

/** Days whose partitions are made ahead: enough to notice that the job fails. */
const daysAhead = 7;
/** Shorter than PostgreSQL's deadlock timeout: if this and a reader wait for each other, this one gives up, and its job is retried. */
const lockTimeoutMs = 500;

const limitLocks = (tx: Tx) =>
  sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx.query);

/** Makes the partitions of the next days. */
export async function makeDaysAhead(tx: Tx): Promise<void> {
  await limitLocks(tx);
  await sql`select make_request_days(now(), now() + ${daysAhead}::integer * interval '1 day')`.execute(
    tx.query,
  );
}

/**
 * Drops the partitions of the days that are no longer kept. In a transaction of its own: dropping waits for readers, and may fail as long as
 * there are any, which must not undo the days ahead.
 */
export async function dropOldDays(tx: Tx): Promise<void> {
  await limitLocks(tx);
  await sql`select drop_request_days(now() - ${requestLogDays}::integer * interval '1 day')`.execute(
    tx.query,
  );
}

/** Deletes the counts of hours whose calls are no longer kept. */
export async function deleteOldRequestCounts(tx: Tx): Promise<void> {
  await tx.query
    .deleteFrom('api_request_count')
    .where('hour', '<', sql<Date>`now() - ${requestLogDays + 1}::integer * interval '1 day'`)
    .execute();
}
