import type { PayoutQuery } from '@hengfu/contract/payouts';
import { sql } from 'kysely';
import type { Home } from '#caller.ts';
import type { MerchantTx } from '#db/database.ts';
import { amountBetween, between, each, equal, type ListSource, type Page, readPage } from '#db/list.ts';
import { type Payout, type PayoutSqlRow, toPayout } from './payouts.sql.ts';

/** What the list of payouts is read from. Throws `validation_failed`. */
export function payoutSource(
  tx: MerchantTx,
  home: Home,
  query: Omit<PayoutQuery, 'limit' | 'cursor'>,
): ListSource {
  // Who asks by the time of payment reads by it, unless the time of creation is asked for, too.
  const isByPayment = (query.paidFrom ?? query.paidTo) && !(query.createdFrom ?? query.createdTo);
  return {
    columns: sql`p.*`,
    from: sql`payout p`,
    orderedBy: isByPayment ? sql`p.paid_at` : sql`p.created_at`,
    id: sql`p.id`,
    sum: sql`p.amount_minor`,
    either: each(sql`p.status`, query.status),
    where: [
      sql`p.merchant_id = ${tx.merchantId}`,
      equal(sql`p.trade_no`, query.trade_no),
      equal(sql`p.out_trade_no`, query.out_trade_no),
      equal(sql`p.payee`, query.payee),
      equal(sql`p.payee_account`, query.payeeAccount),
      equal(sql`p.channel`, query.channel),
      equal(sql`p.batch_no`, query.batch_no),
      amountBetween(sql`p.amount_minor`, query, home.currency),
      between(sql`p.created_at`, query.createdFrom, query.createdTo),
      between(sql`p.paid_at`, query.paidFrom, query.paidTo),
    ],
  };
}

/** A page of the merchant's payouts. */
export async function listPayouts(tx: MerchantTx, home: Home, query: PayoutQuery): Promise<Page<Payout>> {
  const page = await readPage<PayoutSqlRow>(tx, payoutSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toPayout) };
}
