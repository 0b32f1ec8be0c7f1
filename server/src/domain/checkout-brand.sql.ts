import type { PayerBrand } from '@hengfu/contract/checkout';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { logoPathOf } from './checkout-brand.ts';

/** Returns how a merchant appears to its payers: as it has set, or with its own name. */
export async function readPayerBrand(tx: Tx, merchantId: bigint): Promise<PayerBrand> {
  const row = await tx.prepared
    .selectFrom('merchant as m')
    .leftJoin('checkout_brand as b', 'b.merchant_id', 'm.id')
    .select([sql<string>`coalesce(b.name, m.name)`.as('name'), 'b.color', 'b.logo_name as logoName'])
    .where('m.id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return { name: row.name, color: row.color, logo: logoPathOf(row.logoName) };
}
