import type { PayoutQuery } from '@hengfu/contract/payouts';
import type { OpenPayoutQuery } from '@hengfu/contract/payouts.open';
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
import { type Payout, type PayoutSqlRow, toPayout } from './payouts.sql.ts';

/** Builds the source of the list of payouts from a query. Throws `validation_failed`. */
export async function payoutSource(
  tx: MerchantTx,
  home: Home,
  query: Omit<PayoutQuery, 'limit' | 'cursor'>,
): Promise<ListSource> {
  // Only processed payouts have a payment time.
  const isPaid = (query.paidFrom ?? query.paidTo) !== undefined;
  const wanted =
    isPaid && query.status ? query.status.filter((status) => status === 'processed') : query.status;
  const ofStatus = wanted?.length === 0 ? [sql`false`] : each(sql`p.status`, wanted);
  const ofAccount =
    query.payeeAccount === undefined ? undefined : await accountsNamed(tx, query.payeeAccount);
  const ofApproval = each(sql`p.approval_state`, query.approvalState);
  // A filter by payment time alone also sorts by payment time, which has an index.
  const isByPayment = (query.paidFrom ?? query.paidTo) && !(query.createdFrom ?? query.createdTo);
  return {
    columns: sql`p.*`,
    from: sql`payout p`,
    orderedBy: isByPayment ? sql`p.paid_at` : sql`p.created_at`,
    id: sql`p.id`,
    sum: sql`p.amount_minor`,
    rollup: rollupFiltersOf('payout', home, query),
    either: ofAccount ?? ofApproval ?? ofStatus,
    where: [
      sql`p.merchant_id = ${tx.merchantId}`,
      beginsWith(sql`p.trade_no`, query.trade_no),
      beginsWith(sql`p.out_trade_no`, query.out_trade_no),
      equal(sql`p.payee`, query.payee),
      (ofAccount ?? ofApproval) && any(ofStatus),
      ofAccount && any(ofApproval),
      equal(sql`p.channel`, query.channel),
      equal(sql`p.bank`, query.bank),
      equal(sql`p.ifsc`, query.ifsc?.toUpperCase()),
      equal(sql`p.account_type`, query.accountType),
      equal(sql`p.tax_id`, query.taxId),
      equal(sql`p.batch_no`, query.batch_no),
      amountBetween(sql`p.amount_minor`, query, home.currency),
      between(sql`p.created_at`, query.createdFrom, query.createdTo),
      between(sql`p.paid_at`, query.paidFrom, query.paidTo),
    ],
  };
}

/**
 * Finds the accounts that match a text, ignoring spaces and dashes, as one condition each, so that each is
 * read by its own index. If there is none, the condition never holds.
 */
async function accountsNamed(tx: MerchantTx, text: string): Promise<RawBuilder<unknown>[]> {
  const { rows } = await sql<{ value: string }>`
    select value from payout_party
    where merchant_id = ${tx.merchantId} and search_key = search_key(${text}) and field = 'account_key'`.execute(
    tx.query,
  );
  if (rows.length === 0) return [sql`false`];
  return rows.map(({ value }) => sql`p.account_key = ${value}`);
}

/** SQL of the list's columns, by their API names; amounts are in minor units. */
export const payoutCells: Readonly<Record<string, RawBuilder<unknown>>> = {
  trade_no: sql`p.trade_no`,
  out_trade_no: sql`p.out_trade_no`,
  status: sql`p.status`,
  approvalState: sql`p.approval_state`,
  amount: sql`p.amount_minor`,
  fee: sql`p.fee_minor`,
  total: sql`p.amount_minor + p.fee_minor`,
  currency: sql`p.currency`,
  payee: sql`p.payee`,
  payeeAccount: sql`p.payee_account`,
  bank: sql`p.bank`,
  bankName: sql`p.bank_name`,
  branchName: sql`p.branch_name`,
  ifsc: sql`p.ifsc`,
  accountType: sql`p.account_type`,
  taxId: sql`p.tax_id`,
  channel: sql`p.channel`,
  createdAt: sql`p.created_at`,
  paidAt: sql`p.paid_at`,
  rejectedAt: sql`p.rejected_at`,
};

/** Reads a page of the merchant's payouts. */
export async function listPayouts(tx: MerchantTx, home: Home, query: PayoutQuery): Promise<Page<Payout>> {
  const page = await readPage<PayoutSqlRow>(tx, await payoutSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toPayout) };
}

/** Builds the source of the Open API's list. */
export function openPayoutSource(tx: MerchantTx, home: Home, query: OpenPayoutQuery): Promise<ListSource> {
  return payoutSource(tx, home, { status: query.status, ...createdRange(query) });
}

/** Reads a page of it. */
export async function listOpenPayouts(
  tx: MerchantTx,
  home: Home,
  query: OpenPayoutQuery,
): Promise<OnwardPage<Payout>> {
  const page = await readOnward<PayoutSqlRow>(tx, await openPayoutSource(tx, home, query), query);
  return { ...page, rows: page.rows.map(toPayout) };
}
