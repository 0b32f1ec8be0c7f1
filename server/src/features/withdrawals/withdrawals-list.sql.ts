import { parseAmount } from '@hengfu/contract/money';
import type { WithdrawalQuery } from '@hengfu/contract/withdrawals';
import { sql } from 'kysely';
import type { Home } from '#caller.ts';
import type { MerchantTx } from '#db/database.ts';
import { between, each, equal, type Page, readPage } from '#db/list.ts';
import { fieldRefusal } from '#refusal.ts';
import { toWithdrawal, type Withdrawal, type WithdrawalSqlRow } from './withdrawals.sql.ts';

/** A page of the merchant's withdrawals. */
export async function listWithdrawals(
  tx: MerchantTx,
  home: Home,
  query: WithdrawalQuery,
): Promise<Page<Withdrawal>> {
  const minor = (field: 'amountFrom' | 'amountTo') => {
    const text = query[field];
    if (text === undefined) return undefined;
    const amountMinor = parseAmount(text, home.currency);
    if (amountMinor === undefined) throw fieldRefusal(field, 'validation.amount');
    // An amount range takes its end in, as people read it: "100 to 200".
    return field === 'amountTo' ? amountMinor + 1n : amountMinor;
  };
  const page = await readPage<WithdrawalSqlRow>(
    tx,
    {
      columns: sql`w.*`,
      from: sql`withdrawal w`,
      orderedBy: sql`w.created_at`,
      id: sql`w.id`,
      sum: sql`w.amount_minor`,
      either: each(sql`w.status`, query.status),
      where: [
        sql`w.merchant_id = ${tx.merchantId}`,
        equal(sql`w.trade_no`, query.trade_no),
        equal(sql`w.network`, query.network),
        equal(sql`w.address`, query.address),
        equal(sql`w.transaction_id`, query.transactionId),
        between(sql`w.amount_minor`, minor('amountFrom'), minor('amountTo')),
        between(sql`w.created_at`, query.createdFrom, query.createdTo),
      ],
    },
    query,
  );
  return { ...page, rows: page.rows.map(toWithdrawal) };
}
