import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { type Topup, toTopup } from './topups.sql.ts';

/** A top-up for the reviewer: whose it is, and what about it was seen before. */
export interface TopupToReview extends Topup {
  merchant: string;
  /** Other top-ups with the very same picture. */
  sameImage: string[];
  /** Other top-ups, rejected ones, with the same transaction. */
  sameTransaction: string[];
  /** The wallet is the one shown now; false: one of before. */
  isCurrentWallet: boolean;
}

/** Those that wait, the oldest first; with a number, that one whatever its state. */
export async function listToReview(tx: Tx, tradeNo?: string): Promise<TopupToReview[]> {
  const rows = await tx.query
    .selectFrom('topup as t')
    .innerJoin('merchant as m', 'm.id', 't.merchant_id')
    .innerJoin('topup_image as i', (join) =>
      join.onRef('i.merchant_id', '=', 't.merchant_id').onRef('i.topup_id', '=', 't.id'),
    )
    .selectAll('t')
    .select([
      'm.code',
      sql<string[]>`array(select other.trade_no from topup_image same
        join topup other on other.merchant_id = same.merchant_id and other.id = same.topup_id
        where same.sha256 = i.sha256 and other.trade_no <> t.trade_no order by other.created_at)`.as(
        'same_image',
      ),
      sql<string[]>`array(select other.trade_no from topup other
        where other.network = t.network and other.transaction_id = t.transaction_id and other.trade_no <> t.trade_no
        order by other.created_at)`.as('same_transaction'),
      sql<boolean>`t.address = (select address from deposit_wallet where network = t.network and valid_from <= now()
        order by valid_from desc limit 1)`.as('is_current_wallet'),
    ])
    .$if(tradeNo === undefined, (query) => query.where('t.status', 'in', ['pendingReview', 'approved']))
    .$if(tradeNo !== undefined, (query) => query.where('t.trade_no', '=', tradeNo ?? ''))
    .orderBy('t.created_at')
    .execute();
  return rows.map((row) => ({
    ...toTopup(row),
    merchant: row.code,
    sameImage: row.same_image,
    sameTransaction: row.same_transaction,
    isCurrentWallet: row.is_current_wallet,
  }));
}
