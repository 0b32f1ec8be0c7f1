import {
  type CollectionQuery,
  type CollectionStatus,
  settlementStatuses,
} from '@hengfu/contract/collections';
import type { OpenCollectionQuery } from '@hengfu/contract/collections.open';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { type OnwardPage, type Page, readOnward, readPage } from '#domain/list.sql.ts';
import {
  amountBetween,
  any,
  beginsWith,
  between,
  each,
  equal,
  type ListSource,
} from '#domain/list-source.sql.ts';
import { createdRange } from '#domain/open-list.ts';
import { rollupFiltersOf } from '#domain/rollup-filters.ts';
import {
  type Collection,
  type CollectionSqlRow,
  collectionColumns,
  toCollection,
} from './collections.sql.ts';

type Filters = Omit<CollectionQuery, 'limit' | 'cursor'>;

/** Builds the source of the list of collections. Throws `validation_failed`. */
export function collectionSource(tx: MerchantTx, home: Home, query: Filters): ListSource {
  // A filter by payment time also sorts by payment time, unless there is a filter by creation time, too.
  const isByPayment =
    (query.paidFrom ?? query.paidTo) !== undefined && (query.createdFrom ?? query.createdTo) === undefined;
  const states = statesOf(query, isByPayment);
  return {
    columns: collectionColumns,
    from: sql`collection c`,
    orderedBy: isByPayment ? sql`c.paid_at` : sql`c.created_at`,
    id: sql`c.id`,
    sum: sql`c.amount_minor`,
    rollup: rollupFiltersOf('collection', home, query),
    either: query.settlement_no === undefined ? states : undefined,
    where: [
      sql`c.merchant_id = ${tx.merchantId}`,
      beginsWith(sql`c.trade_no`, query.trade_no),
      beginsWith(sql`c.out_trade_no`, query.out_trade_no),
      equal(sql`c.channel`, query.channel),
      // A settlement batch is read by its own index, whatever states are requested.
      query.link === undefined ? undefined : ofLink(tx, query.link),
      ...(query.settlement_no === undefined ? [] : [inBatch(tx, query.settlement_no), any(states)]),
      amountBetween(sql`c.amount_minor`, query, home.currency),
      between(sql`c.created_at`, query.createdFrom, query.createdTo),
      between(sql`c.paid_at`, query.paidFrom, query.paidTo),
    ],
  };
}

/** Statuses of paid orders; only these have a payment time and a settlement status. */
const paidStatuses: readonly CollectionStatus[] = ['paid', 'success', 'refunded'];

/** Builds a condition per requested state, each read by an index in the list's order; undefined for all. */
function statesOf(
  { status, settlementStatus, paidFrom, paidTo }: Filters,
  isByPayment: boolean,
): RawBuilder<unknown>[] | undefined {
  const isPaid = (paidFrom ?? paidTo ?? settlementStatus) !== undefined;
  const wanted = isPaid ? (status ?? paidStatuses).filter((one) => paidStatuses.includes(one)) : status;
  if (wanted?.length === 0) return [sql`false`];
  if (settlementStatus === undefined && !isByPayment) return each(sql`c.status`, status && wanted);
  return (settlementStatus ?? settlementStatuses).flatMap((settled) =>
    (wanted ?? paidStatuses).map((one) => sql`c.settlement_status = ${settled} and c.status = ${one}`),
  );
}

/**
 * SQL expressions of the list's columns, by API field name. Amounts are in minor units; a settlement batch is
 * given by its id, which {@link settlementNumbers} resolves.
 */
export const collectionCells: Readonly<Record<string, RawBuilder<unknown>>> = {
  trade_no: sql`c.trade_no`,
  out_trade_no: sql`c.out_trade_no`,
  status: sql`c.status`,
  amount: sql`c.amount_minor`,
  fee: sql`c.fee_minor`,
  net: sql`case when c.paid_at is null then 0 else c.amount_minor - c.fee_minor - (c.refunded_minor - c.refunded_fee_minor) end`,
  refunded: sql`c.refunded_minor`,
  currency: sql`c.currency`,
  settlementStatus: sql`c.settlement_status`,
  channel: sql`c.channel`,
  subject: sql`c.subject`,
  createdAt: sql`c.created_at`,
  paidAt: sql`c.paid_at`,
  refundedAt: sql`c.refunded_at`,
  settlement_no: sql`c.settlement_id`,
};

/** Reads the numbers of the merchant's settlement batches by id: once per export, instead of once per row. */
export async function settlementNumbers(tx: MerchantTx): Promise<Readonly<Record<string, string>>> {
  const { rows } = await sql<{ id: bigint; settlement_no: string }>`
    select id, settlement_no from settlement where merchant_id = ${tx.merchantId}`.execute(tx.query);
  return Object.fromEntries(rows.map(({ id, settlement_no }) => [String(id), settlement_no]));
}

/** Reads a page of the merchant's collections. */
export async function listCollections(
  tx: MerchantTx,
  home: Home,
  query: CollectionQuery,
): Promise<Page<Collection>> {
  const page = await readPage<CollectionSqlRow>(tx, collectionSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toCollection) };
}

/** Builds the source of the Open API's list. */
export function openCollectionSource(tx: MerchantTx, home: Home, query: OpenCollectionQuery): ListSource {
  return collectionSource(tx, home, { status: query.status, ...createdRange(query) });
}

/** Reads a page of it. */
export async function listOpenCollections(
  tx: MerchantTx,
  home: Home,
  query: OpenCollectionQuery,
): Promise<OnwardPage<Collection>> {
  const page = await readOnward<CollectionSqlRow>(tx, openCollectionSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toCollection) };
}

function ofLink(tx: MerchantTx, linkNo: string): RawBuilder<unknown> {
  return sql`c.payment_link_id = (
    select l.id from payment_link l where l.merchant_id = ${tx.merchantId} and l.link_no = ${linkNo})`;
}

function inBatch(tx: MerchantTx, settlementNo: string): RawBuilder<unknown> {
  return sql`c.settlement_id = (
    select s.id from settlement s where s.merchant_id = ${tx.merchantId} and s.settlement_no = ${settlementNo})`;
}
