import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Changes to one bucket: counts, and amounts in minor units, all of which are added. */
export interface RollupChange {
  kind: 'collection' | 'payout';
  currency: Currency;
  /** The instant whose 15-minute bucket changes. */
  at: Date;
  createdSucceeded?: number;
  createdLost?: number;
  done?: number;
  doneAmountMinor?: bigint;
  feeMinor?: bigint;
  reversed?: number;
  reversedAmountMinor?: bigint;
}

/** Adds to the totals behind dashboard and reports, in the transaction that changes the orders. */
export async function addToRollup(tx: MerchantTx, change: RollupChange): Promise<void> {
  await sql`
    insert into order_rollup (merchant_id, kind, currency, bucket, stripe, created_succeeded_count, created_lost_count,
      done_count, done_amount_minor, fee_minor, reversed_count, reversed_amount_minor)
    values (${tx.merchantId}, ${change.kind}, ${change.currency}, rollup_bucket(${change.at}), rollup_stripe(),
      ${change.createdSucceeded ?? 0}, ${change.createdLost ?? 0}, ${change.done ?? 0}, ${change.doneAmountMinor ?? 0n},
      ${change.feeMinor ?? 0n}, ${change.reversed ?? 0}, ${change.reversedAmountMinor ?? 0n})
    on conflict (merchant_id, kind, currency, bucket, stripe) do update set
      created_succeeded_count = order_rollup.created_succeeded_count + excluded.created_succeeded_count,
      created_lost_count = order_rollup.created_lost_count + excluded.created_lost_count,
      done_count = order_rollup.done_count + excluded.done_count,
      done_amount_minor = order_rollup.done_amount_minor + excluded.done_amount_minor,
      fee_minor = order_rollup.fee_minor + excluded.fee_minor,
      reversed_count = order_rollup.reversed_count + excluded.reversed_count,
      reversed_amount_minor = order_rollup.reversed_amount_minor + excluded.reversed_amount_minor`.execute(
    tx.prepared,
  );
}
