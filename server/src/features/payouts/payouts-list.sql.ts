import { parseAmount } from '@hengfu/contract/money';
import type { PayoutQuery } from '@hengfu/contract/payouts';
import { sql } from 'kysely';
import type { Home } from '#caller.ts';
import type { MerchantTx } from '#db/database.ts';
import { between, each, equal, type Page, readPage } from '#db/list.ts';
import { fieldRefusal } from '#refusal.ts';
import { type Payout, type PayoutSqlRow, toPayout } from './payouts.sql.ts';

/** A page of the merchant's payouts. */
export async function listPayouts(tx: MerchantTx, home: Home, query: PayoutQuery): Promise<Page<Payout>> {
  const minor = (field: 'amountFrom' | 'amountTo') => {
    const text = query[field];
    if (text === undefined) return undefined;
    const amountMinor = parseAmount(text, home.currency);
    if (amountMinor === undefined) throw fieldRefusal(field, 'validation.amount');
    // An amount range takes its end in, as people read it: "100 to 200".
    return field === 'amountTo' ? amountMinor + 1n : amountMinor;
  };
  // Who asks by the time of payment reads by it, unless the time of creation is asked for, too.
  const isByPayment = (query.paidFrom ?? query.paidTo) && !(query.createdFrom ?? query.createdTo);
  const page = await readPage<PayoutSqlRow>(
    tx,
    {
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
        between(sql`p.amount_minor`, minor('amountFrom'), minor('amountTo')),
        between(sql`p.created_at`, query.createdFrom, query.createdTo),
        between(sql`p.paid_at`, query.paidFrom, query.paidTo),
      ],
    },
    query,
  );
  return { ...page, rows: page.rows.map(toPayout) };
}
