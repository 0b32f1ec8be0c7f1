import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { Refusal } from './refusal.ts';

/** A merchant as the back office lists it. */
export interface ListedMerchant {
  id: bigint;
  code: string;
  name: string;
  currency: Currency;
  mode: MerchantMode;
  suspendedAt: Date | null;
}

/** The columns of {@link ListedMerchant}, of `staff_merchant`. */
export const listedMerchant = sql`id, code, name, home_currency as currency, mode, suspended_at as "suspendedAt"`;

/** Finds a merchant by its code. Throws `not_found`. */
export async function findListedMerchant(tx: Tx, code: string): Promise<ListedMerchant> {
  const { rows } = await sql<ListedMerchant>`
    select ${listedMerchant} from staff_merchant where code = ${code}`.execute(tx.query);
  const [merchant] = rows;
  if (!merchant) throw new Refusal('not_found');
  return merchant;
}

/** Finds a merchant whose settings can be changed by its code. Throws `not_found`, and `follows_live` for a test merchant, which has those of its live one. */
export async function findChangeableMerchant(tx: Tx, code: string): Promise<ListedMerchant> {
  const merchant = await findListedMerchant(tx, code);
  if (merchant.mode === 'test') throw new Refusal('follows_live');
  return merchant;
}
