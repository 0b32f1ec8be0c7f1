import { lookMinutes } from '@hengfu/contract/staff/merchant-looks';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';

/** A look that has not ended. */
export interface Look {
  reason: string;
  startedAt: Date;
  endsAt: Date;
}

/** Finds the look of a member of our staff at the merchant of the transaction; undefined if none is open. */
export async function findOpenLook(tx: MerchantTx, staffId: bigint): Promise<Look | undefined> {
  const row = await tx.query
    .selectFrom('staff_look')
    .select(['reason', 'started_at as startedAt', 'ends_at as endsAt'])
    .where('staff_id', '=', staffId)
    .where('about_merchant', '=', tx.merchantId)
    .where('ends_at', '>', sql<Date>`now()`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row;
}

/** Begins a look at the merchant of the transaction. */
export async function insertLook(tx: MerchantTx, staffId: bigint, reason: string): Promise<Look> {
  const row = await tx.query
    .insertInto('staff_look')
    .values({
      staff_id: staffId,
      about_merchant: tx.merchantId,
      reason,
      ends_at: sql<Date>`now() + ${lookMinutes}::integer * interval '1 minute'`,
    })
    .returning(['reason', 'started_at as startedAt', 'ends_at as endsAt'])
    .executeTakeFirstOrThrow();
  return row;
}

/** Reads the facts of the merchant that its own pages are shown for. */
export async function readHome(tx: MerchantTx): Promise<Home> {
  const row = await tx.query
    .selectFrom('merchant')
    .select(['code', 'name', 'home_currency as currency', 'zone'])
    .where('id', '=', tx.merchantId)
    .executeTakeFirstOrThrow();
  return { ...row, merchantId: tx.merchantId };
}
