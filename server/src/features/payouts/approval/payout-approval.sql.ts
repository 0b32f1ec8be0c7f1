import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Facts about a payout that waits for approval. Amounts are in minor units. */
export interface ApprovalFacts {
  currency: Currency;
  feeMinor: bigint;
  /** The fee by the terms of now; null if the channel takes no payouts now. */
  feeNowMinor: bigint | null;
  account: string;
  /** No payout to the account was processed before the past days. */
  isNewAccount: boolean;
  /** The other account on which one of the payee's last payouts was paid; null if there is none. */
  otherAccount: string | null;
  /** Number of a payout of the same amount to the same account, made since; null if there is none. */
  equalNo: string | null;
}

/** The last payouts of a payee that are searched for another account: a payee may have millions, of which none was paid. */
const lastPayouts = 200;

/**
 * Selects the facts about some of the merchant's payouts, `p`. Equal rows of one batch were confirmed when it was submitted. A
 * payee's other accounts are those of payouts before the first of these, read once for all rows of the payee.
 */
function factsOf(
  tx: MerchantTx,
  newAccountDays: number,
  which: RawBuilder<unknown>,
): RawBuilder<ApprovalFacts> {
  return sql<ApprovalFacts>`
    with asked as materialized (
      select p.*, not exists (select from payout e
          where e.merchant_id = p.merchant_id and e.account_key = p.account_key and e.status = 'processed'
            and e.created_at < now() - ${newAccountDays}::integer * interval '1 day') as is_new
      from payout p where p.merchant_id = ${tx.merchantId} and ${which}
    ), payee as materialized (
      select q.payee, used.accounts
      from (select payee, (select min(created_at) from asked) as before from asked where is_new group by payee) q
      cross join lateral (
        -- The last two accounts: one of them is not the account of a row.
        select array_agg(array[account_key, payee_account] order by at desc, id desc) as accounts from (
          select distinct on (account_key) account_key, payee_account, created_at as at, id from (
            select l.account_key, l.payee_account, l.created_at, l.id, l.status from payout l
            where l.merchant_id = ${tx.merchantId} and l.payee = q.payee and l.created_at < q.before
            order by l.created_at desc, l.id desc limit ${lastPayouts}) last
          where status = 'processed' order by account_key, created_at desc, id desc) each) used
    )
    select p.currency, p.fee_minor as "feeMinor", p.payee_account as account,
      (select order_fee(p.amount_minor, t.payout_rate_ppm, t.payout_fixed_minor)
        from merchant_terms t join channel c on c.code = t.channel
        where t.merchant_id = p.merchant_id and t.channel = p.channel and t.valid_from <= now()
          and c.currency = p.currency and c.payout_open and (c.is_live or is_test_merchant(p.merchant_id))
        order by t.valid_from desc limit 1) as "feeNowMinor",
      p.is_new as "isNewAccount",
      case when y.accounts[1][1] <> p.account_key then y.accounts[1][2] else y.accounts[2][2] end as "otherAccount",
      (select e.trade_no from payout e
        where e.merchant_id = p.merchant_id and e.account_key = p.account_key and e.amount_minor = p.amount_minor
          and e.id <> p.id and e.status <> 'rejected' and (e.created_at, e.id) > (p.created_at, p.id)
          and (p.batch_no is null or e.batch_no is distinct from p.batch_no)
        order by e.created_at desc, e.id desc limit 1) as "equalNo"
    from asked p left join payee y on y.payee = p.payee`;
}

/** Reads what has changed since a payout was asked for; undefined if there is no such payout. */
export async function readApprovalFacts(
  tx: MerchantTx,
  tradeNo: string,
  newAccountDays: number,
): Promise<ApprovalFacts | undefined> {
  const { rows } = await factsOf(tx, newAccountDays, sql`p.trade_no = ${tradeNo}`).execute(tx.query);
  return rows[0];
}

/** How many of the payouts that wait with a batch each fact is about. */
export interface BatchFacts {
  newAccounts: number;
  changedAccounts: number;
  changedFees: number;
  equalPayments: number;
}

/** Counts what has changed since a batch was submitted. */
export async function readBatchFacts(
  tx: MerchantTx,
  batchNo: string,
  newAccountDays: number,
): Promise<BatchFacts> {
  const facts = factsOf(tx, newAccountDays, sql`p.batch_no = ${batchNo} and p.approval_state = 'waiting'`);
  const { rows } = await sql<BatchFacts>`
    select count(*) filter (where "isNewAccount" and "otherAccount" is null)::integer as "newAccounts",
      count(*) filter (where "isNewAccount" and "otherAccount" is not null)::integer as "changedAccounts",
      count(*) filter (where "feeNowMinor" is distinct from "feeMinor")::integer as "changedFees",
      count("equalNo")::integer as "equalPayments"
    from (${facts}) f`.execute(tx.query);
  return rows[0] ?? { newAccounts: 0, changedAccounts: 0, changedFees: 0, equalPayments: 0 };
}
