import { channelCatalogue } from '@hengfu/contract/channels';
import { collectionStatuses } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import { payoutStatuses } from '@hengfu/contract/payouts';
import { type OrderKind, type OrderQuery, type OrderRow, orderKinds } from '@hengfu/contract/staff/orders';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { decodeCursor, neighbors, type Page, type Positioned } from '#domain/list.sql.ts';
import { between, type Cursor } from '#domain/list-source.sql.ts';
import { readMoment } from '#domain/list-totals.sql.ts';

type Sql = RawBuilder<unknown>;

/** An order of any merchant; amounts are in minor units. `page_at` is its creation. */
export type FoundOrder = Positioned<{
  kind: OrderKind;
  merchantCode: string;
  merchantName: string;
  mode: 'live' | 'test';
  tradeNo: string;
  outTradeNo: string | null;
  status: OrderRow['status'];
  currency: Currency;
  amountMinor: bigint;
  feeMinor: bigint;
  channel: string | null;
  payee: string | null;
  paidAt: Date | null;
}>;

/** Both kinds are in one list, so the position of an order is its ID with a digit for the kind. */
const digitOf: Readonly<Record<OrderKind, bigint>> = { collection: 0n, payout: 1n };
const base = 10n;

const statusesOf: Readonly<Record<OrderKind, readonly string[]>> = {
  payout: payoutStatuses,
  collection: collectionStatuses,
};

/** The orders of one kind that a query matches. The alias of the view is `o`, that of the merchants `m`. */
interface Source {
  kind: OrderKind;
  view: Sql;
  /** The filters besides those of `statuses` and `merchants`, and the position. */
  where: Sql;
  merchants: Sql;
  order: Sql;
  /** The most rows to read. */
  limit: Sql;
  /** The statuses to look for, each through its own index; undefined if any will do. */
  statuses: readonly string[] | undefined;
}

/** Ends a query that is run for each merchant: without it, the planner may read the rows of all merchants at once. */
const stepwise = sql`offset 0`;

const both = (conditions: readonly (Sql | undefined)[]): Sql =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== undefined)], sql` and `);

function sourceOf(
  kind: OrderKind,
  query: OrderQuery,
  cursor: Cursor | undefined,
  limit: number,
): Source | undefined {
  const statuses =
    query.status && statusesOf[kind].filter((status) => query.status?.some((one) => one === status));
  if ((query.kind && query.kind !== kind) || statuses?.length === 0) return undefined;
  const { channel, merchant, search } = query;
  const direction = cursor?.direction === 'previous' ? sql`asc` : sql`desc`;
  return {
    kind,
    statuses,
    view: sql.table(`staff_${kind}`),
    limit: sql`limit ${limit}`,
    order: sql`o.created_at ${direction}, o.id ${direction}`,
    where: both([
      channel && sql`o.channel = ${channel}`,
      between(sql`o.created_at`, query.createdFrom, query.createdTo),
      cursor && beyond(kind, cursor),
    ]),
    merchants: both([
      merchant === undefined ? undefined : sql`m.code = ${merchant}`,
      merchant === undefined && search === undefined ? sql`m.mode = 'live'` : undefined,
      // A merchant's orders are in its own currency, so none is in a channel of another one.
      channel && sql`m.home_currency = ${channelCatalogue[channel].currency}`,
    ]),
  };
}

/** The condition that orders of a kind lie beyond a position. */
function beyond(kind: OrderKind, { direction, at, id }: Cursor): Sql {
  const [own, other] = [digitOf[kind], BigInt(id) % base];
  const bound = BigInt(id) / base;
  return direction === 'previous'
    ? sql`(o.created_at, o.id) > (${at}::timestamptz, ${String(own > other ? bound - 1n : bound)}::bigint)`
    : sql`(o.created_at, o.id) < (${at}::timestamptz, ${String(own < other ? bound + 1n : bound)}::bigint)`;
}

function columnsOf(kind: OrderKind): Sql {
  return sql`${sql.lit(kind)} as kind, o.merchant_id, o.trade_no as "tradeNo", o.out_trade_no as "outTradeNo", o.status, o.currency,
    o.amount_minor as "amountMinor", o.fee_minor as "feeMinor", o.channel,
    ${kind === 'payout' ? sql`o.payee` : sql`null::text`} as payee, o.paid_at as "paidAt", o.created_at as page_at,
    o.id * ${sql.lit(Number(base))} + ${sql.lit(Number(digitOf[kind]))} as page_id`;
}

/**
 * Reads the newest orders of all merchants. The newest of each merchant comes first: only merchants whose newest order is among
 * those of the page can have others on it. So a page takes one step into an index for each merchant, and few rows. Their columns are
 * read last, because only a small part of those merchants' orders is on the page.
 */
function newest({ kind, view, where, merchants, order, limit, statuses }: Source): Sql {
  const among = statuses ? sql`cross join unnest(${[...statuses]}::text[]) as wanted (status)` : sql``;
  const status = statuses ? sql`wanted.status` : sql`null::text`;
  const ofStatus = statuses ? sql`and o.status = arm.status` : sql``;
  return sql`
    select ${columnsOf(kind)} from (
      select o.merchant_id, o.created_at, o.id from (
        select arm.merchant_id, arm.status from (
          select m.id as merchant_id, ${status} as status from staff_merchant m ${among} where ${merchants}) arm
        cross join lateral (
          select o.created_at, o.id from ${view} o
          where o.merchant_id = arm.merchant_id ${ofStatus} and ${where} order by ${order} limit 1) o
        order by ${order} ${limit}) arm
      cross join lateral (
        select o.merchant_id, o.created_at, o.id from ${view} o
        where o.merchant_id = arm.merchant_id ${ofStatus} and ${where} order by ${order} ${limit}) o
      order by ${order} ${limit}) page
    join ${view} o on o.merchant_id = page.merchant_id and o.id = page.id`;
}

/**
 * Finds the orders with a number, a reference or an account, and collections by those of their refunds, each through an index of its
 * merchant.
 */
function found({ kind, view, where, merchants, order, limit, statuses }: Source, text: string): Sql {
  const ofStatus = statuses ? sql`o.status = any(${[...statuses]}::text[])` : sql`true`;
  const find = (condition: Sql, from: Sql = sql`staff_merchant m`, of: Sql = sql`true`) => sql`
    select page.* from ${from}
    cross join lateral (
      select ${columnsOf(kind)} from ${view} o
      where o.merchant_id = m.id and ${condition} and ${ofStatus} and ${where} order by ${order} ${limit}) page
    where ${merchants} and ${of}`;
  const ownNumber = text.toUpperCase();
  const inLane = sql`merchant_lane(m.id) = lane_of_number(${ownNumber})`;
  const byOwn = (column: string) => find(sql`${sql.ref(column)} = ${ownNumber}`, undefined, inLane);
  const byOther = [
    byOwn('o.trade_no'),
    find(sql`o.out_trade_no = ${text}`),
    find(sql`o.bank_reference = ${text}`),
  ];
  if (kind === 'collection') {
    const byRefund = (column: string, value: string, of?: Sql) =>
      find(
        sql`o.id = refund.collection_id`,
        sql`staff_merchant m cross join lateral (
          select r.collection_id from staff_refund r where r.merchant_id = m.id and ${sql.ref(column)} = ${value}
          ${stepwise}) refund`,
        of,
      );
    const byRefunds = [
      byRefund('r.refund_no', ownNumber, inLane),
      byRefund('r.out_refund_no', text),
      byRefund('r.bank_reference', text),
    ];
    return sql.join([...byOther, ...byRefunds], sql` union `);
  }
  const account = find(
    sql`o.account_key = party.value`,
    sql`staff_merchant m cross join lateral (
      select p.value from staff_payout_party p
      where p.merchant_id = m.id and p.field = 'account_key' and p.search_key = search_key(${text})
      ${stepwise}) party`,
    sql`search_key(${text}) <> ''`,
  );
  return sql.join([...byOther, byOwn('o.batch_no'), account], sql` union `);
}

/** Builds the statement of {@link listOrders}; exported so that a test can examine its plan. */
export function ordersStatement(
  query: OrderQuery,
  cursor: Cursor | undefined,
  rows: number,
): RawBuilder<FoundOrder> | undefined {
  const sources = orderKinds.flatMap((kind) => sourceOf(kind, query, cursor, rows) ?? []);
  if (sources.length === 0) return undefined;
  const { search } = query;
  const parts = sources.map(
    (source) => sql`(
    ${search === undefined ? newest(source) : found(source, search)})`,
  );
  const direction = cursor?.direction === 'previous' ? sql`asc` : sql`desc`;
  return sql<FoundOrder>`
    select page.*, null::bigint as page_summed, m.code as "merchantCode", m.name as "merchantName", m.mode
    from (
      select * from (${sql.join(parts, sql` union all `)}) every
      order by page_at ${direction}, page_id ${direction} limit ${rows}) page
    join staff_merchant m on m.id = page.merchant_id
    order by page_at ${direction}, page_id ${direction}`;
}

/** Reads a page of the orders of all merchants. The number of all is known only if they fit on the first page. */
export async function listOrders(tx: Tx, query: OrderQuery): Promise<Omit<Page<FoundOrder>, 'sumMinor'>> {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const statement = ordersStatement(query, cursor, query.limit + 1);
  const { rows: found } = (await statement?.execute(tx.query)) ?? { rows: [] };
  const at = await readMoment(tx);
  const hasMore = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  return {
    rows: cursor?.direction === 'previous' ? rows.toReversed() : rows,
    at,
    ...neighbors(rows, { cursor, hasMore, stoppedAt: undefined }),
    total: { count: rows.length, exact: cursor === undefined && !hasMore },
  };
}
