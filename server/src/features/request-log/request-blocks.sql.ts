import { exactTotalLimit } from '@hengfu/contract/lists';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import { blockedCreates } from '#domain/blocked-creates.ts';
import {
  type BlockedCall,
  maxBlockSpanMs,
  maxOrderDistanceMs,
  ordersOf,
  secondOfOrder,
} from '#domain/call-blocks.ts';
import type { Cursor } from '#domain/list-source.sql.ts';
import { equal, equalAddress } from '#domain/list-source.sql.ts';
import { timeOfRequest } from '#domain/request-ids.ts';
import type { RequestFilters } from './request-log.sql.ts';

/** Calls that created orders, in one row (`http/request-log/blocks`). */
export type StoredBlock = Omit<
  Selectable<Schema['api_request_block']>,
  'merchant_id' | 'first_order_at' | 'last_order_at'
>;

/** A search for calls in blocks. */
export interface BlockSearch {
  /** Conditions of blocks that may have such calls. */
  where: readonly RawBuilder<unknown>[];
  /** The times of such calls, in milliseconds since 1970: from, inclusive, to, exclusive. */
  fromMs: number;
  toMs: number;
  /** Matches such a call, ignoring its time; undefined if all calls of the blocks match. */
  isMatch: ((call: BlockedCall) => boolean) | undefined;
  /** Whether there is only one such call. */
  isSingle: boolean;
}

/** Returns the search of a query; undefined if no block can have such calls. */
export async function blockSearch(tx: MerchantTx, query: RequestFilters): Promise<BlockSearch | undefined> {
  const { result, code, request_id: requestId, order_no: orderNo } = query;
  // All calls in blocks created something.
  if ((result && !result.includes('done')) || code !== undefined) return undefined;
  if (query.method && !query.method.includes('POST')) return undefined;
  const fromMs = query.createdFrom === undefined ? -Infinity : Date.parse(query.createdFrom);
  const toMs = query.createdTo === undefined ? Infinity : Date.parse(query.createdTo);
  const conditions = [
    sql`b.merchant_id = ${tx.merchantId}`,
    query.path === undefined ? undefined : sql`b.path = any(${pathsFrom(query.path)}::text[])`,
    equal(sql`b.key_id`, query.keyId),
    equalAddress(sql`b.address`, query.address),
    query.createdFrom === undefined ? undefined : sql`b.last_at >= ${query.createdFrom}::timestamptz`,
    query.createdTo === undefined ? undefined : sql`b.first_at < ${query.createdTo}::timestamptz`,
    requestId === undefined ? undefined : hasCallAt(timeOfRequest(requestId)),
    orderNo === undefined ? undefined : hasOrderAt(await secondsOf(tx, orderNo)),
  ].filter((condition) => condition !== undefined);
  const tests = [
    requestId === undefined ? undefined : ({ request_id: id }: BlockedCall) => id === requestId.toLowerCase(),
    orderNo === undefined
      ? undefined
      : (call: BlockedCall) => Object.values(ordersOf(call)).includes(orderNo),
  ].filter((test) => test !== undefined);
  const isMatch = tests.length === 0 ? undefined : (call: BlockedCall) => tests.every((test) => test(call));
  return { where: conditions, fromMs, toMs, isMatch, isSingle: requestId !== undefined };
}

/** The paths of calls in blocks that begin with a text. */
const pathsFrom = (beginning: string) =>
  blockedCreates.map(({ path }) => path).filter((path) => path.startsWith(beginning));

/** The condition for blocks that may have a call of a time. */
function hasCallAt(at: Date | undefined): RawBuilder<unknown> {
  if (!at) return sql`false`;
  const latest = new Date(at.getTime() + maxBlockSpanMs);
  return sql`b.first_at <= ${at}::timestamptz and b.last_at between ${at}::timestamptz and ${latest}::timestamptz`;
}

/** The condition for blocks that may have an order of one of some seconds, whose calls are near in time. */
function hasOrderAt(seconds: readonly Date[]): RawBuilder<unknown> {
  const parts = seconds.map((second) => {
    const earliest = new Date(second.getTime() - maxOrderDistanceMs);
    const latest = new Date(second.getTime() + maxOrderDistanceMs + maxBlockSpanMs);
    return sql`(b.last_at between ${earliest}::timestamptz and ${latest}::timestamptz
      and b.first_order_at <= ${second}::timestamptz and b.last_order_at >= ${second}::timestamptz)`;
  });
  return parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`;
}

/** Returns the seconds in the number of an order, which is ours or the merchant's own. */
async function secondsOf(tx: MerchantTx, orderNo: string): Promise<Date[]> {
  const { rows } = await sql<{ trade_no: string }>`
    select trade_no from collection where merchant_id = ${tx.merchantId} and out_trade_no = ${orderNo}
    union all
    select trade_no from payout where merchant_id = ${tx.merchantId} and out_trade_no = ${orderNo}`.execute(
    tx.query,
  );
  return [orderNo, ...rows.map((row) => row.trade_no)].flatMap((number) => secondOfOrder(number) ?? []);
}

/** A place in the list from which blocks are read: the cursor, the last block that was read, and the number of wanted calls. */
export interface BlockPlace {
  cursor: Cursor | undefined;
  behind: StoredBlock | undefined;
  wanted: number;
}

/** Blocks of one statement. */
export const maxBlocks = 64;

/**
 * Reads blocks with calls beyond a cursor, from there on: by the time of their latest call, newest first (after a backward cursor: oldest first).
 * Returns as many as have the wanted calls, and one more, or fewer at the end of the list.
 */
export async function readBlocks(
  tx: MerchantTx,
  search: BlockSearch,
  place: BlockPlace,
): Promise<StoredBlock[]> {
  return (await blocksBeyond(search, place).execute(tx.query)).rows;
}

/** Builds the statement that reads such blocks. */
export function blocksBeyond(
  { where }: BlockSearch,
  { cursor, behind, wanted }: BlockPlace,
): RawBuilder<StoredBlock> {
  const isForward = cursor?.direction !== 'previous';
  const order = isForward ? sql`desc` : sql`asc`;
  const conditions = [...where];
  if (cursor && isForward) {
    const latest = new Date(cursor.at.getTime() + maxBlockSpanMs);
    conditions.push(sql`b.first_at <= ${cursor.at}::timestamptz and b.last_at <= ${latest}::timestamptz`);
  } else if (cursor) conditions.push(sql`b.last_at >= ${cursor.at}::timestamptz`);
  if (behind)
    conditions.push(
      sql`(b.last_at, b.id) ${isForward ? sql`<` : sql`>`} (${behind.last_at}::timestamptz, ${behind.id}::bigint)`,
    );
  // A block that straddles the cursor may have no call beyond it.
  const beyond = !cursor
    ? sql`b.calls`
    : isForward
      ? sql`case when b.last_at < ${cursor.at}::timestamptz then b.calls else 0 end`
      : sql`case when b.first_at > ${cursor.at}::timestamptz then b.calls else 0 end`;
  return sql<StoredBlock>`
    select id, key_id, method, path, status, host(address) as address, first_at, last_at, calls, content
    from (
      select b.*, sum(${beyond}) over (order by b.last_at ${order}, b.id ${order} rows between unbounded preceding and 2 preceding) as before
      from api_request_block b where ${sql.join(conditions, sql` and `)}
      order by b.last_at ${order}, b.id ${order} limit ${maxBlocks}
    ) near
    where coalesce(before, 0) < ${wanted} order by last_at ${order}, id ${order}`;
}

/**
 * Returns the number of calls in blocks that a search finds, as a value of SQL.
 * @param partial those in the blocks that {@link readPartial} reads
 */
export function callsInBlocks(
  { where, fromMs, toMs, isMatch }: BlockSearch,
  partial: number,
): RawBuilder<unknown> {
  if (isMatch) return sql`${partial}::bigint`;
  const conditions = [...where];
  if (fromMs > -Infinity) conditions.push(sql`b.first_at >= ${new Date(fromMs)}::timestamptz`);
  if (toMs < Infinity) conditions.push(sql`b.last_at < ${new Date(toMs)}::timestamptz`);
  return sql`${partial}::bigint + (select coalesce(sum(calls), 0) from (
    select b.calls from api_request_block b where ${sql.join(conditions, sql` and `)} limit ${exactTotalLimit + 1}) whole)`;
}

/** Reads blocks of which a search may find some calls only, the newest behind another one. */
export async function readPartial(
  tx: MerchantTx,
  { where, fromMs, toMs, isMatch }: BlockSearch,
  behind: StoredBlock | undefined,
): Promise<StoredBlock[]> {
  const ends = [fromMs, toMs].filter((ms) => Number.isFinite(ms)).map((ms) => new Date(ms));
  if (!isMatch && ends.length === 0) return [];
  const partly = ends.map(
    (end) => sql`(b.first_at < ${end}::timestamptz and b.last_at between ${end}::timestamptz and
      ${new Date(end.getTime() + maxBlockSpanMs)}::timestamptz)`,
  );
  const conditions = isMatch ? [...where] : [...where, sql`(${sql.join(partly, sql` or `)})`];
  if (behind)
    conditions.push(sql`(b.last_at, b.id) < (${behind.last_at}::timestamptz, ${behind.id}::bigint)`);
  const { rows } = await sql<StoredBlock>`
    select b.id, b.key_id, b.method, b.path, b.status, host(b.address) as address, b.first_at, b.last_at, b.calls, b.content
    from api_request_block b where ${sql.join(conditions, sql` and `)}
    order by b.last_at desc, b.id desc limit ${maxBlocks}`.execute(tx.query);
  return rows;
}
