import type { RefundQuery } from '@hengfu/contract/refunds';
import type { OpenRefundQuery } from '@hengfu/contract/refunds.open';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { type OnwardPage, type Page, readOnward, readPage } from '#domain/list.sql.ts';
import { amountBetween, beginsWith, between, each, type ListSource } from '#domain/list-source.sql.ts';
import { createdRange } from '#domain/open-list.ts';
import { type Refund, refundColumns, refundTables } from './refunds.sql.ts';

/** Builds the list source of refunds. Throws `validation_failed`. */
export function refundSource(
  tx: MerchantTx,
  home: Home,
  query: Omit<RefundQuery, 'limit' | 'cursor'>,
): ListSource {
  // A filter by the end also sorts by it, unless there is a filter by creation time, too.
  const isByEnd =
    (query.endedFrom ?? query.endedTo) !== undefined && (query.createdFrom ?? query.createdTo) === undefined;
  return {
    columns: refundColumns,
    from: refundTables,
    orderedBy: isByEnd ? sql`r.ended_at` : sql`r.created_at`,
    id: sql`r.id`,
    sum: sql`r.amount_minor`,
    either: each(sql`r.status`, query.status),
    where: [
      sql`r.merchant_id = ${tx.merchantId}`,
      beginsWith(sql`r.refund_no`, query.refund_no),
      // A refund's number begins with that of its collection.
      beginsWith(sql`r.refund_no`, query.trade_no),
      amountBetween(sql`r.amount_minor`, query, home.currency),
      between(sql`r.created_at`, query.createdFrom, query.createdTo),
      between(sql`r.ended_at`, query.endedFrom, query.endedTo),
      isByEnd ? sql`r.ended_at is not null` : undefined,
    ],
  };
}

/** Reads a page of the merchant's refunds. */
export async function listRefunds(tx: MerchantTx, home: Home, query: RefundQuery): Promise<Page<Refund>> {
  return readPage<Refund>(tx, refundSource(tx, home, query), query);
}

/** Builds the source of the Open API's list. */
export function openRefundSource(tx: MerchantTx, home: Home, query: OpenRefundQuery): ListSource {
  return refundSource(tx, home, { status: query.status, ...createdRange(query) });
}

/** Reads a page of it. */
export function listOpenRefunds(
  tx: MerchantTx,
  home: Home,
  query: OpenRefundQuery,
): Promise<OnwardPage<Refund>> {
  return readOnward<Refund>(tx, openRefundSource(tx, home, query), query);
}
