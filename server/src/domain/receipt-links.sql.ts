import { randomBytes } from 'node:crypto';
import { receiptPage } from '@hengfu/contract/receipts';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

const tokenBytes = 24;

/** Whether the receipt of a collection (`c`) can be seen: it is paid, and two years have not passed since. */
export const hasReceipt: RawBuilder<boolean> = sql<boolean>`coalesce(c.paid_at > now() - interval '2 years', false)`;

/** Returns the path of the receipt of a paid collection; makes its link at the first use. */
export async function receiptPathOf(tx: MerchantTx, collectionId: bigint): Promise<string> {
  const token = (await findToken(tx, collectionId)) ?? (await makeToken(tx, collectionId));
  return receiptPage.path.replace(':token', token);
}

async function findToken(tx: MerchantTx, collectionId: bigint): Promise<string | undefined> {
  const row = await tx.prepared
    .selectFrom('receipt_link')
    .select('token')
    .where('merchant_id', '=', tx.merchantId)
    .where('collection_id', '=', collectionId)
    .executeTakeFirst();
  return row?.token;
}

/** Of two calls at once, the second one returns the first one's token. */
async function makeToken(tx: MerchantTx, collectionId: bigint): Promise<string> {
  const random = randomBytes(tokenBytes).toString('base64url');
  const row = await tx.query
    .insertInto('receipt_link')
    .values({
      merchant_id: tx.merchantId,
      collection_id: collectionId,
      token: sql<string>`merchant_lane(${tx.merchantId}) || ${random}::text`,
    })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'collection_id']).doNothing())
    .returning('token')
    .executeTakeFirst();
  const token = row?.token ?? (await findToken(tx, collectionId));
  if (token === undefined) throw new Error('a receipt has no link, although there was one before');
  return token;
}
