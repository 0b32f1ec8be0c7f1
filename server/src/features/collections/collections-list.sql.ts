import type { CollectionQuery } from '@hengfu/contract/collections';
import { type RawBuilder, sql } from 'kysely';
import type { Home } from '#caller.ts';
import type { MerchantTx } from '#db/database.ts';
import { amountBetween, any, between, each, equal, type ListSource, type Page, readPage } from '#db/list.ts';
import {
  type Collection,
  type CollectionSqlRow,
  collectionColumns,
  toCollection,
} from './collections.sql.ts';

/** What the list of collections is read from. Throws `validation_failed`. */
export function collectionSource(
  tx: MerchantTx,
  home: Home,
  query: Omit<CollectionQuery, 'limit' | 'cursor'>,
): ListSource {
  // Who asks by the time of payment reads by the time of payment, unless the time of creation is asked for, too.
  const isByPayment = (query.paidFrom ?? query.paidTo) && !(query.createdFrom ?? query.createdTo);
  const ofStatus = each(sql`c.status`, query.status);
  const ofSettlementStatus = each(sql`c.settlement_status`, query.settlementStatus);
  return {
    columns: collectionColumns,
    from: sql`collection c`,
    orderedBy: isByPayment ? sql`c.paid_at` : sql`c.created_at`,
    id: sql`c.id`,
    sum: sql`c.amount_minor`,
    either: ofStatus ?? ofSettlementStatus,
    where: [
      sql`c.merchant_id = ${tx.merchantId}`,
      ofStatus && any(ofSettlementStatus),
      equal(sql`c.trade_no`, query.trade_no),
      equal(sql`c.out_trade_no`, query.out_trade_no),
      equal(sql`c.channel`, query.channel),
      query.settlement_no === undefined ? undefined : inBatch(tx, query.settlement_no),
      amountBetween(sql`c.amount_minor`, query, home.currency),
      between(sql`c.created_at`, query.createdFrom, query.createdTo),
      between(sql`c.paid_at`, query.paidFrom, query.paidTo),
    ],
  };
}

/** A page of the merchant's collections. */
export async function listCollections(
  tx: MerchantTx,
  home: Home,
  query: CollectionQuery,
): Promise<Page<Collection>> {
  const page = await readPage<CollectionSqlRow>(tx, collectionSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toCollection) };
}

function inBatch(tx: MerchantTx, settlementNo: string): RawBuilder<unknown> {
  return sql`c.settlement_id = (
    select s.id from settlement s where s.merchant_id = ${tx.merchantId} and s.settlement_no = ${settlementNo})`;
}
