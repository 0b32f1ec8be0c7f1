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

/** The payouts of a payee that are looked at for another account: a payee may have millions. */
const lastPayouts = 1000;

/**
 * Selects the facts about some of the merchant's payouts, `p`. Equal rows of one batch were confirmed when it was submitted. A
 * payee's other accounts are those of payouts before the first of these, so that no row of a batch reads all the others.
 */
function factsOf(
  tx: MerchantTx,
  newAccountDays: number,
  which: RawBuilder<unknown>,
): RawBuilder<ApprovalFacts> {
  return sql<ApprovalFacts>`
    with first as materialized (
      select min(p.created_at) as at from payout p where p.merchant_id = ${tx.merchantId} and ${which}
    )
    select p.currency, p.fee_minor as "feeMinor", p.payee_account as account,
      (select order_fee(p.amount_minor, t.payout_rate_ppm, t.payout_fixed_minor)
        from merchant_terms t join channel c on c.code = t.channel
        where t.merchant_id = p.merchant_id and t.channel = p.channel and t.valid_from <= now()
          and c.currency = p.currency and c.payout_open
        order by t.valid_from desc limit 1) as "feeNowMinor",
      not exists (select from payout e
        where e.merchant_id = p.merchant_id and e.account_key = p.account_key and e.status = 'processed'
          and e.created_at < now() - ${newAccountDays}::integer * interval '1 day') as "isNewAccount",
      (select e.payee_account from (
          select l.payee_account, l.account_key from payout l
          where l.merchant_id = p.merchant_id and l.payee = p.payee and l.status = 'processed' and l.created_at < (select at from first)
          order by l.created_at desc, l.id desc limit ${lastPayouts}) e
        where e.account_key <> p.account_key limit 1) as "otherAccount",
      (select e.trade_no from payout e
        where e.merchant_id = p.merchant_id and e.account_key = p.account_key and e.amount_minor = p.amount_minor
          and e.id <> p.id and e.status <> 'rejected' and (e.created_at, e.id) > (p.created_at, p.id)
          and (p.batch_no is null or e.batch_no is distinct from p.batch_no)
        order by e.created_at desc, e.id desc limit 1) as "equalNo"
    from payout p where p.merchant_id = ${tx.merchantId} and ${which}`;
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
