import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** The terms of withdrawals that a merchant got last; USDT in minor units. */
export interface LatestTerms {
  feeUsdtMinor: bigint;
  freePerDay: number;
  minimumUsdtMinor: bigint;
  validFrom: Date;
}

/** Reads the terms of withdrawals that a merchant got last. */
export async function latestWithdrawalTerms(tx: MerchantTx): Promise<LatestTerms | undefined> {
  const { rows } = await sql<LatestTerms>`
    select fee_usdt_minor as "feeUsdtMinor", free_per_day as "freePerDay", minimum_usdt_minor as "minimumUsdtMinor",
      valid_from as "validFrom"
    from withdrawal_terms where merchant_id = ${tx.merchantId} order by valid_from desc limit 1`.execute(
    tx.query,
  );
  return rows[0];
}
