import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { type Topup, toTopup } from './topups.sql.ts';

/** A top-up for its reviewer: with its merchant, and with earlier top-ups that resemble it. */
export interface TopupToReview extends Topup {
  merchant: string;
  /** Numbers of other top-ups with the same picture. */
  sameImage: string[];
  /** Numbers of other, rejected top-ups with the same transaction. */
  sameTransaction: string[];
  /** False if it was sent to an earlier wallet of the service. */
  isCurrentWallet: boolean;
}

/** Lists the top-ups that wait for staff, oldest first; given a number, only that one in any state. */
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
