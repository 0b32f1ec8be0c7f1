import type { Generated } from 'kysely';

export interface CheckoutTables {
  checkout_brand: CheckoutBrandTable;
}

interface CheckoutBrandTable {
  merchant_id: bigint;
  name: string | null;
  color: string | null;
  logo_name: string | null;
  logo: Buffer | null;
  updated_at: Generated<Date>;
}
