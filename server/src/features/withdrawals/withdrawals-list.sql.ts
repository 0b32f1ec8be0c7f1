import type { WithdrawalQuery } from '@hengfu/contract/withdrawals';
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
import { toWithdrawal, type Withdrawal, type WithdrawalSqlRow } from './withdrawals.sql.ts';

/** Builds the list source of withdrawals. Throws `validation_failed`. */
export function withdrawalSource(
  tx: MerchantTx,
  home: Home,
  query: Omit<WithdrawalQuery, 'limit' | 'cursor'>,
): ListSource {
  const ofStatus = each(sql`w.status`, query.status);
  const ofApproval = each(sql`w.approval_state`, query.approvalState);
  return {
    columns: sql`w.*`,
    from: sql`withdrawal w`,
    orderedBy: sql`w.created_at`,
    id: sql`w.id`,
    sum: sql`w.amount_minor`,
    either: ofApproval ?? ofStatus,
    where: [
      sql`w.merchant_id = ${tx.merchantId}`,
      beginsWith(sql`w.trade_no`, query.trade_no),
      ofApproval && any(ofStatus),
      // All of them are in the one currency, so there is no column for it.
      any(each(sql`'USDT'`, query.coin)),
      equal(sql`w.network`, query.network),
      equal(sql`w.address`, query.address),
      equal(sql`w.transaction_id`, query.transactionId),
      amountBetween(sql`w.amount_minor`, query, home.currency),
      between(sql`w.created_at`, query.createdFrom, query.createdTo),
    ],
  };
}

/** Reads a page of the merchant's withdrawals. */
export async function listWithdrawals(
  tx: MerchantTx,
  home: Home,
  query: WithdrawalQuery,
): Promise<Page<Withdrawal>> {
  const page = await readPage<WithdrawalSqlRow>(tx, withdrawalSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toWithdrawal) };
}
