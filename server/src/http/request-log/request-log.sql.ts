import { type RequestReason, refusedPerHour } from '@hengfu/contract/request-log';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** The facts about a signed call by which it is counted and placed. */
export interface CallFacts {
  merchantId: bigint;
  keyId: string;
  at: Date;
  /** Whether the call was refused, other than by a fault of ours. */
  isRefused: boolean;
  /** Whether its signature was the right one. */
  isVerified: boolean;
}

/** The entry of a signed call. */
export interface CallEntry {
  requestId: string;
  method: string;
  path: string;
  query: string | undefined;
  status: number;
  code: string | undefined;
  durationMs: number;
  address: string;
  tradeNo: string | undefined;
  outTradeNo: string | undefined;
  reason: RequestReason | undefined;
  request: LoggedBody;
  response: LoggedBody;
}

/** A signed call that waits to be written. */
export interface LoggedCall extends CallFacts {
  /**
   * The columns of its row as JSON, in one text: thousands of calls wait in memory, and the garbage collector would visit each value of
   * an object.
   */
  columns: string;
}

/** A body: its size, and its masked text if it was JSON. */
interface LoggedBody {
  bytes: number;
  text: string | undefined;
  isCut: boolean;
}

/** Calls of one key in one hour. */
export interface KeyHour {
  merchantId: bigint;
  keyId: string;
  /** The first instant of the hour. */
  hour: Date;
  /** Refused calls with a verified signature, kept or not. */
  refused: number;
  /** Refused calls without. */
  unverified: number;
  /** Calls that could not be kept. */
  lost: number;
}

/** Returns the first instant of the hour of a call. */
export function hourOf(at: Date): Date {
  const hourMs = 3_600_000;
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

/** Returns the merchants of keys, also of keys that are not active. Unknown keys are absent. */
export async function findKeyOwners(tx: Tx, keyIds: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await tx.prepared
    .selectFrom('access_key_directory')
    .select(['key_id', 'merchant_id'])
    .where(sql<boolean>`key_id = any(${[...keyIds]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.key_id, row.merchant_id]));
}

/** A refused call's place among those of its key, hour and kind (verified or not), in one batch; undefined for a call that was done. */
export interface PlacedCall extends LoggedCall {
  place: number | undefined;
}

/**
 * Adds calls to the log, and counts of keys. Of the refused calls of a key, keeps no more than {@link refusedPerHour} of each
 * kind in an hour: the count decides, which all processes share. Returns the counts as they are now.
 */
export async function addCalls(
  tx: Tx,
  calls: readonly PlacedCall[],
  counts: readonly KeyHour[],
): Promise<Pick<KeyHour, 'keyId' | 'hour' | 'refused' | 'unverified'>[]> {
  const { rows } = await sql<{ key_id: string; hour: Date; refused: bigint; unverified: bigint }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(counts.map(countRow))}::json)
        as g (merchant_id bigint, key_id text, hour timestamptz, refused bigint, unverified bigint, lost bigint)
    ), counted as (
      insert into api_request_count as c (merchant_id, key_id, hour, refused, unverified, lost)
      select merchant_id, key_id, hour, refused, unverified, lost from given order by 1, 2, 3
      on conflict (merchant_id, key_id, hour) do update set refused = c.refused + excluded.refused,
        unverified = c.unverified + excluded.unverified, lost = c.lost + excluded.lost
      returning merchant_id, key_id, hour, refused, unverified
    ), kept as (
      insert into api_request (merchant_id, at, request_id, key_id, method, path, query, status, code, duration_ms, address, trade_no,
        out_trade_no, reason, request_bytes, request_body, is_request_cut, response_bytes, response_body, is_response_cut)
      select r.merchant_id, r.at, r.request_id, r.key_id, r.method, r.path, r.query, r.status, r.code, r.duration_ms, r.address,
        r.trade_no, r.out_trade_no, r.reason, r.request_bytes, r.request_body, r.is_request_cut, r.response_bytes, r.response_body,
        r.is_response_cut
      from json_to_recordset(${`[${calls.map(rowOf).join(',')}]`}::json) as r (merchant_id bigint, at timestamptz, request_id uuid,
        key_id text, hour timestamptz, place integer, is_verified boolean, method text, path text, query text, status smallint, code text,
        duration_ms integer, address inet, trade_no text, out_trade_no text, reason jsonb, request_bytes integer, request_body text,
        is_request_cut boolean, response_bytes integer, response_body text, is_response_cut boolean)
      where r.place is null or r.place <= ${refusedPerHour}::integer - (select
          case when r.is_verified then n.refused - g.refused else n.unverified - g.unverified end
        from counted n join given g using (merchant_id, key_id, hour)
        where n.merchant_id = r.merchant_id and n.key_id = r.key_id and n.hour = r.hour)
    )
    select key_id, hour, refused, unverified from counted`.execute(tx.prepared);
  return rows.map((row) => ({
    keyId: row.key_id,
    hour: row.hour,
    refused: Number(row.refused),
    unverified: Number(row.unverified),
  }));
}

const countRow = ({ merchantId, keyId, hour, refused, unverified, lost }: KeyHour) => ({
  merchant_id: String(merchantId),
  key_id: keyId,
  hour,
  refused,
  unverified,
  lost,
});

/** Returns the columns of a call's row as JSON, besides those that are known when it is written. */
export function columnsOf(
  { keyId, at, isVerified }: Omit<CallFacts, 'merchantId'>,
  entry: CallEntry,
): string {
  return JSON.stringify({
    at,
    key_id: keyId,
    is_verified: isVerified,
    request_id: entry.requestId,
    method: entry.method,
    path: entry.path,
    query: entry.query,
    status: entry.status,
    code: entry.code,
    duration_ms: entry.durationMs,
    address: entry.address,
    trade_no: entry.tradeNo,
    out_trade_no: entry.outTradeNo,
    reason: entry.reason,
    request_bytes: entry.request.bytes,
    request_body: entry.request.text,
    is_request_cut: entry.request.isCut,
    response_bytes: entry.response.bytes,
    response_body: entry.response.text,
    is_response_cut: entry.response.isCut,
  });
}

/** Completes the columns of a call's row. */
function rowOf({ merchantId, at, place, columns }: PlacedCall): string {
  const hour = place === undefined ? undefined : hourOf(at);
  const known = JSON.stringify({ merchant_id: String(merchantId), hour, place });
  return `${known.slice(0, -1)},${columns.slice(1)}`;
}

/** Makes the partition of the day of an instant, unless it exists. */
export async function makeRequestDay(tx: Tx, at: Date): Promise<void> {
  await sql`select make_request_days(${at}, ${at})`.execute(tx.query);
}
