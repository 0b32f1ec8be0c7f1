import { sql } from 'kysely';
import { queryAfterExpiryMs } from '#channels/last-query.rules.ts';
import type { Tx } from '#db/database.ts';

/** An order of ours, by its number. */
export interface KnownOrder {
  reference: string;
  status: string;
  amountMinor: bigint;
  currency: string;
  /**
   * Without it, the order never gets the channel's outcome: the channel that the payer chooses, a further question to that channel, whose time
   * has passed for an unpaid collection, or, for a payout that was not sent here, the approval or the reactivation of its merchant. Null if the
   * channel's outcome arrives by itself.
   */
  lacks: 'channel' | 'question' | 'approval' | 'reactivation' | null;
}

/**
 * Finds which numbers are those of payouts, collections or refunds. A refund's number begins with that of its collection.
 */
export async function findKnownOrders(tx: Tx, references: readonly string[]): Promise<KnownOrder[]> {
  const { rows } = await sql<KnownOrder>`
    select p.trade_no as reference, p.status, p.amount_minor as "amountMinor", p.currency,
        case when p.status <> 'pending' then null when p.approval_state <> 'approved' then 'approval'
          when m.suspended_at is not null then 'reactivation' end as lacks
      from payout p join merchant m on m.id = p.merchant_id where p.trade_no = any(${references})
    union all select trade_no, status, amount_minor, currency,
        case when channel is null then 'channel'
          when paid_at is null and expires_at < now() - ${queryAfterExpiryMs} * interval '1 millisecond' then 'question' end
      from collection where trade_no = any(${references})
    union all select given,
        case when b.id is not null then 'reversed' when r.status = 'refunded' then r.status else 'refunding' end,
        coalesce(r.amount_minor, c.amount_minor), c.currency, null
      from unnest(${references}::text[]) given
      join collection c on c.trade_no = split_part(given, '-R', 1)
      join ledger_transfer t on t.merchant_id = c.merchant_id and t.idempotency_key = 'collection_refund:' || given
      left join ledger_transfer b
        on b.merchant_id = c.merchant_id and b.idempotency_key = 'collection_refund_reversal:' || given
      -- Attempts of earlier versions that the channel declined have none.
      left join refund r on r.merchant_id = c.merchant_id and r.refund_no = given
      where given like '%-R%'`.execute(tx.query);
  return rows;
}

/** Finds which of a merchant's own order numbers are known, as payouts or collections. */
export async function findKnownOwnNumbers(
  tx: Tx,
  merchantId: bigint,
  numbers: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ no: string }>`
    select out_trade_no as no from payout where merchant_id = ${merchantId} and out_trade_no = any(${numbers})
    union select out_trade_no from collection where merchant_id = ${merchantId} and out_trade_no = any(${numbers})`.execute(
    tx.query,
  );
  return rows.map(({ no }) => no);
}
