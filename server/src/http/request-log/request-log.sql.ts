import { type RequestReason, refusedPerHour } from '@hengfu/contract/request-log';
import { type RawBuilder, sql } from 'kysely';
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
  /** Whether it can change something, going by its method. */
  isChange: boolean;
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
  entry: CallEntry;
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
  const fact = (name: keyof PlacedCall) => calls.map((call) => call[name]);
  const column = (name: keyof CallEntry) => calls.map(({ entry }) => entry[name]);
  const body = (which: 'request' | 'response', name: keyof LoggedBody) =>
    calls.map(({ entry }) => entry[which][name]);
  const reasons = calls.map(({ entry: { reason } }) => reason && JSON.stringify(reason));
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
      from unnest(${texts(fact('merchantId'))}::bigint[], ${texts(fact('at'))}::timestamptz[], ${texts(column('requestId'))}::uuid[],
        ${texts(fact('keyId'))}, ${texts(calls.map(hourOfPlace))}::timestamptz[], ${texts(fact('place'))}::integer[],
        ${texts(fact('isVerified'))}::boolean[], ${texts(column('method'))}, ${texts(column('path'))}, ${texts(column('query'))},
        ${texts(column('status'))}::smallint[], ${texts(column('code'))}, ${texts(column('durationMs'))}::integer[],
        ${texts(column('address'))}::inet[], ${texts(column('tradeNo'))}, ${texts(column('outTradeNo'))}, ${texts(reasons)}::jsonb[],
        ${texts(body('request', 'bytes'))}::integer[], ${texts(body('request', 'text'))}, ${texts(body('request', 'isCut'))}::boolean[],
        ${texts(body('response', 'bytes'))}::integer[], ${texts(body('response', 'text'))}, ${texts(body('response', 'isCut'))}::boolean[])
        as r (merchant_id, at, request_id, key_id, hour, place, is_verified, method, path, query, status, code, duration_ms, address,
          trade_no, out_trade_no, reason, request_bytes, request_body, is_request_cut, response_bytes, response_body, is_response_cut)
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

/** Separates the values of a column, and stands for one that is absent: control characters, which no value of an entry contains. */
const separator = '\u001f';
const absent = '\u001e';

/**
 * Returns the values of a column as an array of texts, which travel as one text. PostgreSQL's own notation of arrays has each value escaped,
 * which takes the server longer than everything else about an entry.
 */
function texts(values: readonly unknown[]): RawBuilder<string[]> {
  const joined = values.map(textOf).join(separator);
  return sql`string_to_array(${joined}::text, ${separator}::text, ${absent}::text)`;
}

function textOf(value: unknown): string {
  if (value === undefined) return absent;
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.includes(separator) || text.includes(absent)
    ? text.replaceAll(separator, '').replaceAll(absent, '')
    : text;
}

const hourOfPlace = ({ at, place }: PlacedCall) => (place === undefined ? undefined : hourOf(at));

const countRow = ({ merchantId, keyId, hour, refused, unverified, lost }: KeyHour) => ({
  merchant_id: String(merchantId),
  key_id: keyId,
  hour,
  refused,
  unverified,
  lost,
});

/** Makes the partition of the day of an instant, unless it exists. */
export async function makeRequestDay(tx: Tx, at: Date): Promise<void> {
  await sql`select make_request_days(${at}, ${at})`.execute(tx.query);
}
