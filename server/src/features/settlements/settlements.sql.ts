import type { PageQuery } from '@hengfu/contract/lists';
import type { Currency } from '@hengfu/contract/money';
import { batchMoves, batchStatuses, type SettlementQuery } from '@hengfu/contract/settlements';
import type { OpenSettlementQuery } from '@hengfu/contract/settlements.open';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import { type OnwardPage, type Page, readOnward, readPage } from '#domain/list.sql.ts';
import { beginsWith, between, each, type ListSource } from '#domain/list-source.sql.ts';
import { createdRange } from '#domain/open-list.ts';
import { freeUnsettled, holdSettling } from '#domain/settling.sql.ts';

/** States from which a batch may be settled. */
const settleable = batchStatuses.filter((status) => batchMoves[status].includes('settled'));

export type SettlementSqlRow = Selectable<Schema['settlement']>;

/** Builds the list source of batches. */
export function settlementSource(
  tx: MerchantTx,
  query: Omit<SettlementQuery, 'limit' | 'cursor'>,
): ListSource {
  return {
    columns: sql`s.*`,
    from: sql`settlement s`,
    orderedBy: sql`s.created_at`,
    id: sql`s.id`,
    sum: sql`s.net_minor`,
    either: each(sql`s.status`, query.status),
    where: [
      sql`s.merchant_id = ${tx.merchantId}`,
      beginsWith(sql`s.settlement_no`, query.settlement_no),
      between(sql`s.created_at`, query.createdFrom, query.createdTo),
      between(sql`s.settled_at`, query.settledFrom, query.settledTo),
    ],
  };
}

/** Reads a page of the merchant's batches; `sum` is their total net amount. */
export function listSettlements(tx: MerchantTx, query: SettlementQuery): Promise<Page<SettlementSqlRow>> {
  return readPage<SettlementSqlRow>(tx, settlementSource(tx, query), query);
}

/** Builds the source of the Open API's list. */
export function openSettlementSource(tx: MerchantTx, query: OpenSettlementQuery): ListSource {
  return settlementSource(tx, { status: query.status, ...createdRange(query) });
}

/** Reads a page of it. */
export function listOpenSettlements(
  tx: MerchantTx,
  query: OpenSettlementQuery,
): Promise<OnwardPage<SettlementSqlRow>> {
  return readOnward<SettlementSqlRow>(tx, openSettlementSource(tx, query), query);
}

/** Finds one batch. */
export async function findSettlement(
  tx: MerchantTx,
  settlementNo: string,
): Promise<SettlementSqlRow | undefined> {
  return tx.query
    .selectFrom('settlement')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .where('settlement_no', '=', settlementNo)
    .executeTakeFirst();
}

/** One payment or refund of a batch. */
export interface LineSqlRow {
  kind: 'payment' | 'refund';
  /** The refund's own number; null for a payment. */
  refund_no: string | null;
  trade_no: string;
  out_trade_no: string;
  amount_minor: bigint;
  fee_minor: bigint;
  /** The part of a refund that was taken from available funds, and so is not deducted here. */
  available_minor: bigint;
  net_minor: bigint;
  currency: Currency;
  paid_at: Date;
  refunded_at: Date | null;
}

/** Builds the list source of a batch's payments and refunds. */
export function lineSource(tx: MerchantTx, settlementId: bigint): ListSource {
  return {
    columns: sql`l.*`,
    // A refund may be in the batch of its own payment: its ID is made different from all those of payments.
    from: sql`(
      select 'payment' as kind, null as refund_no, c.id, c.created_at, c.trade_no, c.out_trade_no, c.amount_minor, c.fee_minor,
        0::bigint as available_minor, c.currency, c.paid_at, null::timestamptz as refunded_at, c.amount_minor - c.fee_minor as net_minor
      from collection c where c.merchant_id = ${tx.merchantId} and c.settlement_id = ${settlementId}
      union all
      select 'refund', r.refund_no, -r.id, r.created_at, c.trade_no, c.out_trade_no, r.amount_minor, r.fee_minor,
        r.available_minor, r.currency, c.paid_at, r.ended_at, r.fee_minor + r.available_minor - r.amount_minor
      from refund r join collection c on c.merchant_id = r.merchant_id and c.id = r.collection_id
      where r.merchant_id = ${tx.merchantId} and r.settlement_id = ${settlementId}) l`,
    orderedBy: sql`l.created_at`,
    id: sql`l.id`,
    sum: sql`l.net_minor`,
    where: [sql`true`],
  };
}

/** Reads a page of a batch's payments and refunds; `sum` is their total net amount. */
export function listLines(tx: MerchantTx, settlementId: bigint, query: PageQuery): Promise<Page<LineSqlRow>> {
  return readPage<LineSqlRow>(tx, lineSource(tx, settlementId), query);
}

/** Finds merchants whose cut-off has passed. */
export async function findDueMerchants(tx: Tx): Promise<bigint[]> {
  const rows = await tx.query
    .selectFrom('merchant')
    .select('id')
    .where('next_settlement_at', '<=', sql<Date>`now()`)
    // A wiped test merchant has nothing to settle any more.
    .where('retired_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Reads the cut-off of the transaction's merchant if it has passed. Stays the same while the transaction holds the settling. */
export async function findDueCutOff(tx: MerchantTx): Promise<Date | undefined> {
  const found = await tx.query
    .selectFrom('merchant')
    .select('next_settlement_at')
    .where('id', '=', tx.merchantId)
    .where('next_settlement_at', '<=', sql<Date>`now()`)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return found?.next_settlement_at;
}

/**
 * Moves a merchant's cut-off from `cutOffAt` to the one that follows it, by the merchant's cycle and in its time zone. Returns whether that
 * one has passed, too, as after an outage.
 */
export async function advanceCutOff(tx: MerchantTx, cutOffAt: Date): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    update merchant
    set next_settlement_at = next_settlement(zone, settlement_cut_off, settlement_cycle, settlement_weekday, next_settlement_at)
    where id = ${tx.merchantId} and next_settlement_at = ${cutOffAt}
    returning next_settlement_at <= now() as "isDue"`.execute(tx.query);
  return rows[0]?.isDue === true;
}

/** The net amount that a batch moves from unsettled to available funds. */
export interface BatchMove {
  settlementNo: string;
  netMinor: bigint;
  currency: Currency;
}

/** A batch that was created. */
export interface NewBatch extends BatchMove {
  /** Payments and refunds that were looked at, whether they are in the batch or not. */
  openCount: number;
  waitingCount: number;
}

export interface BatchOptions {
  /** Payments, and refunds, that the batch has at most: the earliest ones. All if absent. */
  maxLines?: number;
  /** For demo data: creates the batch in the past, with its orders marked as settled. The caller posts it in the same transaction. */
  settledAt?: Date;
}

/**
 * Creates a batch of everything paid before the cut-off, minus refunds of payments in this batch or an earlier one, as far as the new
 * payments cover them; other refunds wait for the next batch. A payment whose refund is under way waits until it has ended. Returns
 * undefined if there is nothing to settle.
 */
export async function insertBatch(
  tx: MerchantTx,
  cutOffAt: Date,
  { maxLines, settledAt }: BatchOptions = {},
): Promise<NewBatch | undefined> {
  await holdSettling(tx);
  // Only now: whoever waits for the lock gives up in time.
  await tx.disableTimeouts();
  const free = await freeUnsettled(tx);
  const most = sql`${maxLines ?? null}::bigint`;
  const status = settledAt ? 'settled' : 'pendingSettlement';
  const { rows } = await sql<NewBatch>`
    with moment as (select coalesce(${settledAt ?? null}::timestamptz, now()) as at), open as (
      select id, currency, amount_minor, fee_minor, amount_minor - fee_minor as net, paid_at from collection
      where merchant_id = ${tx.merchantId} and settlement_status = 'unsettled' and paid_at < ${cutOffAt}
        and refunding_minor = 0 and not never_settles
      order by paid_at, id limit ${most}
      for update
    ), queue as (
      select *, sum(net) over (order by paid_at, id) as running from open
    ), waiting as (
      select r.id, r.amount_minor - r.fee_minor - r.available_minor as net,
        sum(r.amount_minor - r.fee_minor - r.available_minor) over (order by r.ended_at, r.id) as running
      from refund r
      join collection c on c.merchant_id = r.merchant_id and c.id = r.collection_id
      where r.merchant_id = ${tx.merchantId} and r.status = 'refunded' and r.settlement_id is null and not r.never_settles
        and r.ended_at < ${cutOffAt} and (c.settlement_id is not null or c.id in (select id from open))
      order by r.ended_at, r.id limit ${most}
    ), refunds as (
      select id, net from waiting where running <= (
        select coalesce(sum(net), 0) from queue
        where running <= ${free}::bigint + (select coalesce(sum(net), 0) from waiting))
    ), payments as (
      select * from queue where running <= ${free}::bigint + (select coalesce(sum(net), 0) from refunds)
    ), batch as (
      insert into settlement (merchant_id, settlement_no, currency, order_count, refund_count, amount_minor, fee_minor,
        refunded_minor, cut_off_at, created_at, status, settled_at)
      select ${tx.merchantId}::bigint, new_trade_no('S', ${tx.merchantId}::bigint, moment.at), min(p.currency), count(*),
        (select count(*) from refunds), sum(p.amount_minor), sum(p.fee_minor),
        (select coalesce(sum(net), 0) from refunds), ${cutOffAt}::timestamptz, moment.at, ${status},
        ${settledAt ?? null}::timestamptz
      from payments p, moment group by moment.at
      having sum(p.net) >= (select coalesce(sum(net), 0) from refunds)
      returning id, settlement_no, net_minor, currency
    ), paid as (
      update collection c set settlement_status = ${status}, settlement_id = batch.id
      from batch where c.merchant_id = ${tx.merchantId} and c.id in (select id from payments)
    ), returned as (
      update refund r set settlement_id = batch.id
      from batch where r.merchant_id = ${tx.merchantId} and r.id in (select id from refunds)
    )
    select settlement_no as "settlementNo", net_minor as "netMinor", currency,
      (select count(*)::integer from open) as "openCount", (select count(*)::integer from waiting) as "waitingCount"
    from batch`.execute(tx.query);
  return rows[0];
}

/** Finds batches that are created but not yet settled, oldest first. */
export async function findPendingBatches(tx: Tx): Promise<{ merchantId: bigint; settlementNo: string }[]> {
  const rows = await tx.query
    .selectFrom('settlement')
    .select(['merchant_id', 'settlement_no'])
    .where('status', '=', 'pendingSettlement')
    .orderBy('created_at')
    .limit(100)
    .execute();
  return rows.map((row) => ({ merchantId: row.merchant_id, settlementNo: row.settlement_no }));
}

/** Marks a batch and its orders as settled; returns undefined if the batch already was. */
export async function settleBatch(tx: MerchantTx, settlementNo: string): Promise<BatchMove | undefined> {
  const row = await tx.query
    .updateTable('settlement')
    .set({ status: 'settled', settled_at: sql<Date>`now()` })
    .where('merchant_id', '=', tx.merchantId)
    .where('settlement_no', '=', settlementNo)
    .where('status', 'in', settleable)
    .returning(['id', 'net_minor', 'currency'])
    .executeTakeFirst();
  if (!row) return undefined;
  await tx.disableTimeouts();
  await tx.query
    .updateTable('collection')
    .set({ settlement_status: 'settled' })
    .where('merchant_id', '=', tx.merchantId)
    .where('settlement_id', '=', row.id)
    .execute();
  return { settlementNo, netMinor: row.net_minor, currency: row.currency };
}
