import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { refuseOverdraft } from './ledger.ts';

/**
 * Posts many past transfers in one statement, in chronological order. `legs` is a query with a row for each
 * leg: key, type, subject, at, kind, reference, amount in minor units. Legs with the same key form one
 * transfer; amounts of zero are left out. Throws Refusal `insufficient_funds` if a merchant's account would
 * go below zero after any of the transfers. The transaction must then be rolled back.
 */
export async function postSeries(
  tx: MerchantTx,
  currency: Currency,
  legs: RawBuilder<unknown>,
): Promise<void> {
  await refuseOverdraft(
    sql`select ledger_post_series(${currency},
      array_agg(key order by at, key), array_agg(type order by at, key), array_agg(subject order by at, key),
      array_agg(at order by at, key), array_agg(kind order by at, key), array_agg(reference order by at, key),
      array_agg(amount order by at, key))
    from (${legs}) leg (key, type, subject, at, kind, reference, amount)
    having count(*) > 0`.execute(tx.query),
  );
}
