import { parseAmount } from '@hengfu/contract/money';
import type { TopupQuery } from '@hengfu/contract/topups';
import { sql } from 'kysely';
import type { Home } from '#caller.ts';
import type { MerchantTx } from '#db/database.ts';
import { between, each, equal, type Page, readPage } from '#db/list.ts';
import { fieldRefusal } from '#refusal.ts';
import { type Topup, type TopupSqlRow, toTopup } from './topups.sql.ts';

/** A page of the merchant's top-ups. */
export async function listTopups(tx: MerchantTx, home: Home, query: TopupQuery): Promise<Page<Topup>> {
  const minor = (field: 'amountFrom' | 'amountTo') => {
    const text = query[field];
    if (text === undefined) return undefined;
    const amountMinor = parseAmount(text, home.currency);
    if (amountMinor === undefined) throw fieldRefusal(field, 'validation.amount');
    // An amount range takes its end in, as people read it: "100 to 200".
    return field === 'amountTo' ? amountMinor + 1n : amountMinor;
  };
  const page = await readPage<TopupSqlRow>(
    tx,
    {
      columns: sql`t.*`,
      from: sql`topup t`,
      orderedBy: sql`t.created_at`,
      id: sql`t.id`,
      sum: sql`t.amount_minor`,
      either: each(sql`t.status`, query.status),
      where: [
        sql`t.merchant_id = ${tx.merchantId}`,
        equal(sql`t.trade_no`, query.trade_no),
        equal(sql`t.network`, query.network),
        equal(sql`t.transaction_id`, query.transactionId),
        between(sql`t.amount_minor`, minor('amountFrom'), minor('amountTo')),
        between(sql`t.created_at`, query.createdFrom, query.createdTo),
      ],
    },
    query,
  );
  return { ...page, rows: page.rows.map(toTopup) };
}
