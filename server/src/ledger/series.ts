import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { covered } from './ledger.ts';

/**
 * Posts a past that is written in one go, transfer by transfer in the order of time, in one statement. `legs` is a query
 * with a row for each leg: key, type, subject, at, kind, reference, amount in minor units; legs with one key are one
 * transfer, and amounts of zero are left out. Throws Refusal `insufficient_funds` where a merchant's account would go
 * below zero after any of the transfers; the transaction is then to be rolled back.
 */
export async function postSeries(
  tx: MerchantTx,
  currency: Currency,
  legs: RawBuilder<unknown>,
): Promise<void> {
  await covered(
    sql`select ledger_post_series(${currency},
      array_agg(key order by at, key), array_agg(type order by at, key), array_agg(subject order by at, key),
      array_agg(at order by at, key), array_agg(kind order by at, key), array_agg(reference order by at, key),
      array_agg(amount order by at, key))
    from (${legs}) leg (key, type, subject, at, kind, reference, amount)
    having count(*) > 0`.execute(tx.query),
  );
}
