import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Facts about a withdrawal that waits for approval. */
export interface ApprovalFacts {
  address: string;
  /** Local currency per USDT, when it was asked for and now. */
  rate: string;
  rateNow: string | null;
  /** No withdrawal to the address was paid before the past days. */
  isNewAddress: boolean;
  /** Number of a withdrawal of the same amount to the same address, made since; null if there is none. */
  equalNo: string | null;
}

/** An address in a form that is the same however it was typed, as `walletKey` in the contract. */
const keyOf = (table: 'w' | 'e') => {
  const [network, address] = [sql.ref(`${table}.network`), sql.ref(`${table}.address`)];
  return sql`case when ${network} in ('ERC20', 'BEP20') then lower(${address}) else ${address} end`;
};

/** Reads what has changed since a withdrawal was asked for; undefined if there is no such withdrawal. */
export async function readApprovalFacts(
  tx: MerchantTx,
  tradeNo: string,
  newAddressDays: number,
): Promise<ApprovalFacts | undefined> {
  const { rows } = await sql<ApprovalFacts>`
    select w.address, trim_scale(w.usdt_rate)::text as rate,
      (select trim_scale(usdt_rate)::text from exchange_rate where currency = w.currency and valid_from <= now()
        order by valid_from desc limit 1) as "rateNow",
      not exists (select from withdrawal e
        where e.merchant_id = w.merchant_id and ${keyOf('e')} = ${keyOf('w')} and e.status = 'paid'
          and e.created_at < now() - ${newAddressDays}::integer * interval '1 day') as "isNewAddress",
      (select e.trade_no from withdrawal e
        where e.merchant_id = w.merchant_id and ${keyOf('e')} = ${keyOf('w')} and e.usdt_minor = w.usdt_minor and e.id <> w.id
          and e.status <> 'rejected' and (e.created_at, e.id) > (w.created_at, w.id)
        order by e.created_at desc, e.id desc limit 1) as "equalNo"
    from withdrawal w where w.merchant_id = ${tx.merchantId} and w.trade_no = ${tradeNo}`.execute(tx.query);
  return rows[0];
}
