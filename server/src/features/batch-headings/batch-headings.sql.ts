import { type BatchHeading, maxHeadings } from '@hengfu/contract/batch-headings';
import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { holdCount } from '#domain/quota.sql.ts';

/** Lists the headings of a merchant. */
export function listHeadings(tx: MerchantTx): Promise<BatchHeading[]> {
  return tx.prepared
    .selectFrom('batch_heading')
    .select(['heading', 'field'])
    .where('merchant_id', '=', tx.merchantId)
    .orderBy('heading')
    .execute();
}

/** Finds the field of a heading, after waiting for a concurrent change of the merchant's headings. */
export async function findHeading(tx: MerchantTx, heading: string): Promise<BatchField | undefined> {
  await holdCount(tx, `batch headings ${tx.merchantId}`);
  const row = await tx.query
    .selectFrom('batch_heading')
    .select('field')
    .where('merchant_id', '=', tx.merchantId)
    .where('heading', '=', heading)
    .executeTakeFirst();
  return row?.field;
}

/** Saves a heading, and forgets the oldest ones beyond the limit. */
export async function saveHeading(tx: MerchantTx, { heading, field }: BatchHeading): Promise<void> {
  await tx.query
    .insertInto('batch_heading')
    .values({ merchant_id: tx.merchantId, heading, field })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'heading']).doUpdateSet({ field, saved_at: sql<Date>`now()` }),
    )
    .execute();
  await sql`
    delete from batch_heading where merchant_id = ${tx.merchantId} and heading in (
      select heading from batch_heading where merchant_id = ${tx.merchantId}
      order by saved_at desc, heading offset ${maxHeadings})`.execute(tx.query);
}

/** Deletes a heading. */
export async function deleteHeading(tx: MerchantTx, heading: string): Promise<void> {
  await tx.query
    .deleteFrom('batch_heading')
    .where('merchant_id', '=', tx.merchantId)
    .where('heading', '=', heading)
    .execute();
}
