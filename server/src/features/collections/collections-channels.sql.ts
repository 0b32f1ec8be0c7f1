import type { FeeTerms } from '@hengfu/contract/fees';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Finds a channel's terms in force at an instant, or the first later ones if none were in force yet. */
export async function findTerms(tx: MerchantTx, channel: string, at: Date): Promise<FeeTerms | undefined> {
  const { rows } = await sql<{ rate: number; fixed: bigint }>`
    select t.collection_rate_ppm as rate, t.collection_fixed_minor as fixed from merchant_terms t
    where t.merchant_id = ${tx.merchantId} and t.channel = ${channel}
    order by (t.valid_from <= ${at}) desc, case when t.valid_from <= ${at} then t.valid_from end desc, t.valid_from
    limit 1`.execute(tx.prepared);
  return rows[0] && { ratePpm: rows[0].rate, fixedMinor: rows[0].fixed };
}
