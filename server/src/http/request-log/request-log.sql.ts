import { type RequestReason, refusedPerHour } from '@hengfu/contract/request-log';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A signed call as the log keeps it. */
export interface LoggedCall {
  merchantId: bigint;
  keyId: string;
  at: Date;
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
  /** Refused calls, kept or not. */
  refused: number;
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

/** Why a key admits no call. */
export type KeyState = Extract<RequestReason, { kind: 'key' }>['state'];

/** Returns why keys of merchants of one placement are not active; active keys are absent. */
export async function findInactiveKeys(
  tx: Tx,
  keys: readonly { merchantId: bigint; keyId: string }[],
): Promise<Map<string, KeyState>> {
  const { rows } = await sql<{ key_id: string; state: KeyState }>`
    select k.key_id, case when k.revoked_at is not null then 'revoked' when k.disabled_at is not null then 'disabled'
      else 'expired' end as state
    from access_key k
    where k.merchant_id = any(${[...new Set(keys.map(({ merchantId }) => merchantId))]}::bigint[])
      and k.key_id = any(${keys.map(({ keyId }) => keyId)}::text[])
      and (k.revoked_at is not null or k.disabled_at is not null or k.ends_at <= now())`.execute(tx.prepared);
  return new Map(rows.map((row) => [row.key_id, row.state]));
}

/** A refused call's place among those of its key and hour, in one batch; undefined for a call that was done. */
export interface PlacedCall extends LoggedCall {
  place: number | undefined;
}

/**
 * Adds calls to the log, and counts of keys. Of the refused calls of a key, keeps no more than {@link refusedPerHour} in an hour: the
 * count decides, which all processes share. Returns the counts as they are now.
 */
export async function addCalls(
  tx: Tx,
  calls: readonly PlacedCall[],
  counts: readonly KeyHour[],
): Promise<Pick<KeyHour, 'keyId' | 'hour' | 'refused'>[]> {
  const { rows } = await sql<{ key_id: string; hour: Date; refused: bigint }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(counts.map(countRow))}::json)
        as g (merchant_id bigint, key_id text, hour timestamptz, refused bigint, lost bigint)
    ), counted as (
      insert into api_request_count as c (merchant_id, key_id, hour, refused, lost)
      select merchant_id, key_id, hour, refused, lost from given order by 1, 2, 3
      on conflict (merchant_id, key_id, hour) do update set refused = c.refused + excluded.refused, lost = c.lost + excluded.lost
      returning merchant_id, key_id, hour, refused
    ), kept as (
      insert into api_request (merchant_id, at, request_id, key_id, method, path, query, status, code, duration_ms, address, trade_no,
        out_trade_no, reason, request_bytes, request_body, is_request_cut, response_bytes, response_body, is_response_cut)
      select r.merchant_id, r.at, r.request_id, r.key_id, r.method, r.path, r.query, r.status, r.code, r.duration_ms, r.address,
        r.trade_no, r.out_trade_no, r.reason, r.request_bytes, r.request_body, r.is_request_cut, r.response_bytes, r.response_body,
        r.is_response_cut
      from json_to_recordset(${JSON.stringify(calls.map(callRow))}::json) as r (merchant_id bigint, at timestamptz, request_id uuid,
        key_id text, hour timestamptz, place integer, method text, path text, query text, status smallint, code text,
        duration_ms integer, address inet, trade_no text, out_trade_no text, reason jsonb, request_bytes integer, request_body text,
        is_request_cut boolean, response_bytes integer, response_body text, is_response_cut boolean)
      where r.place is null or r.place <= ${refusedPerHour}::integer - (select n.refused - g.refused
        from counted n join given g using (merchant_id, key_id, hour)
        where n.merchant_id = r.merchant_id and n.key_id = r.key_id and n.hour = r.hour)
    )
    select key_id, hour, refused from counted`.execute(tx.prepared);
  return rows.map((row) => ({ keyId: row.key_id, hour: row.hour, refused: Number(row.refused) }));
}

const countRow = ({ merchantId, keyId, hour, refused, lost }: KeyHour) => ({
  merchant_id: String(merchantId),
  key_id: keyId,
  hour,
  refused,
  lost,
});

const callRow = (call: PlacedCall) => ({
  merchant_id: String(call.merchantId),
  at: call.at,
  request_id: call.requestId,
  key_id: call.keyId,
  hour: call.place === undefined ? undefined : hourOf(call.at),
  place: call.place,
  method: call.method,
  path: call.path,
  query: call.query,
  status: call.status,
  code: call.code,
  duration_ms: call.durationMs,
  address: call.address,
  trade_no: call.tradeNo,
  out_trade_no: call.outTradeNo,
  reason: call.reason,
  request_bytes: call.request.bytes,
  request_body: call.request.text,
  is_request_cut: call.request.isCut,
  response_bytes: call.response.bytes,
  response_body: call.response.text,
  is_response_cut: call.response.isCut,
});

/** Makes the partition of the day of an instant, unless it exists. */
export async function makeRequestDay(tx: Tx, at: Date): Promise<void> {
  await sql`select make_request_days(${at}, ${at})`.execute(tx.query);
}
