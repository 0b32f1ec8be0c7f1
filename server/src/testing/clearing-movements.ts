import type { Database } from '#db/database.ts';
import { post } from '#ledger/ledger.ts';
import type { TestMerchant } from './test-product.ts';

/** A movement at a channel. Positive came in: a payment; otherwise a payout. */
export interface ClearingMovement {
  /** Its number, by which channel and statement know it. */
  reference: string;
  amountMinor: bigint;
  at: Date;
}

let numbers = 0;

/** Makes a number with the lane of its merchant, as orders have it. */
export function orderNumber({ id }: Pick<TestMerchant, 'id'>, kind: 'C' | 'P' = 'C'): string {
  const lane = String((id * 7919n) % 10_000n).padStart(4, '0');
  return `${kind}261101000000${lane}${String(++numbers).padStart(6, '0')}`;
}

/** Posts movements as the orders of a merchant do, without the orders, in the order of their times. */
export async function moveAtChannel(
  database: Database,
  { id, currency }: Pick<TestMerchant, 'id' | 'currency'>,
  channel: string,
  movements: readonly ClearingMovement[],
): Promise<void> {
  await database.asSystemFor(id, async (tx) => {
    for (const { reference, amountMinor, at } of movements.toSorted(
      (a, b) => a.at.getTime() - b.at.getTime(),
    )) {
      const type = amountMinor > 0n ? 'collection_payment' : 'payout_payment';
      await post(tx, {
        type,
        key: `${type}:${reference}`,
        subjectNo: reference,
        currency,
        // Payouts come out of fees here, which may go below zero.
        entries: [
          { account: 'clearing', reference: channel, amountMinor: -amountMinor },
          { account: 'fees', amountMinor },
        ],
        at,
      });
    }
  });
}
