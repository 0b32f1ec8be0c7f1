import type { TopupQuery } from '@hengfu/contract/topups';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import {
  amountBetween,
  any,
  beginsWith,
  between,
  each,
  equal,
  type ListSource,
} from '#domain/list-source.sql.ts';
import { type Topup, type TopupSqlRow, toTopup } from './topups.sql.ts';

/** Builds the list source of top-ups. Throws `validation_failed`. */
export function topupSource(
  tx: MerchantTx,
  home: Home,
  query: Omit<TopupQuery, 'limit' | 'cursor'>,
): ListSource {
  return {
    columns: sql`t.*`,
    from: sql`topup t`,
    orderedBy: sql`t.created_at`,
    id: sql`t.id`,
    sum: sql`t.amount_minor`,
    either: each(sql`t.status`, query.status),
    where: [
      sql`t.merchant_id = ${tx.merchantId}`,
      beginsWith(sql`t.trade_no`, query.trade_no),
      any(each(sql`t.coin`, query.coin)),
      equal(sql`t.network`, query.network),
      equal(sql`t.transaction_id`, query.transactionId),
      amountBetween(sql`t.amount_minor`, query, home.currency),
      between(sql`t.created_at`, query.createdFrom, query.createdTo),
    ],
  };
}

/** Reads a page of the merchant's top-ups. */
export async function listTopups(tx: MerchantTx, home: Home, query: TopupQuery): Promise<Page<Topup>> {
  const page = await readPage<TopupSqlRow>(tx, topupSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toTopup) };
}
