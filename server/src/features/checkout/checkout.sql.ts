import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** A merchant's settings; its logo by the name under which it is served. */
export interface Brand {
  name: string | null;
  color: string | null;
  logoName: string | null;
}

const nothingSet: Brand = { name: null, color: null, logoName: null };

/** Reads what the transaction's merchant has set. */
export async function readBrand(tx: MerchantTx): Promise<Brand> {
  const row = await tx.query
    .selectFrom('checkout_brand')
    .select(['name', 'color', 'logo_name as logoName'])
    .where('merchant_id', '=', tx.merchantId)
    .executeTakeFirst();
  return row ?? nothingSet;
}

/** The same, and locks it until the transaction ends, so that each change is recorded with what it replaced. */
export async function lockBrand(tx: MerchantTx): Promise<Brand> {
  await tx.query
    .insertInto('checkout_brand')
    .values({ merchant_id: tx.merchantId, ...emptyRow })
    .onConflict((conflict) => conflict.column('merchant_id').doNothing())
    .execute();
  return tx.query
    .selectFrom('checkout_brand')
    .select(['name', 'color', 'logo_name as logoName'])
    .where('merchant_id', '=', tx.merchantId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

const emptyRow = { name: null, color: null, logo_name: null, logo: null };

/** A new logo: its content, and the hash of it. */
export interface Logo {
  bytes: Buffer;
  sha256: Buffer;
}

/** Replaces name and color, and the logo: null removes it, undefined keeps it. Returns what is set now. */
export function saveBrand(
  tx: MerchantTx,
  { name, color }: Pick<Brand, 'name' | 'color'>,
  logo: Logo | null | undefined,
): Promise<Brand> {
  return tx.query
    .updateTable('checkout_brand')
    .set({ name, color, updated_at: sql<Date>`now()` })
    .$if(logo !== undefined, (query) =>
      query.set({
        logo: logo?.bytes ?? null,
        logo_name: logo
          ? sql<string>`merchant_lane(${tx.merchantId}) || ${logo.sha256.toString('base64url')}::text`
          : null,
      }),
    )
    .where('merchant_id', '=', tx.merchantId)
    .returning(['name', 'color', 'logo_name as logoName'])
    .executeTakeFirstOrThrow();
}

/** Finds a logo by its name. Anyone may see it. */
export async function findLogo(tx: Tx, name: string): Promise<Buffer | undefined> {
  const row = await tx.prepared
    .selectFrom('checkout_brand')
    .select('logo')
    .where('merchant_id', '=', sql<bigint>`any (merchants_in_lane(${name.slice(0, 4)}))`)
    .where('logo_name', '=', name)
    .executeTakeFirst();
  return row?.logo ?? undefined;
}
