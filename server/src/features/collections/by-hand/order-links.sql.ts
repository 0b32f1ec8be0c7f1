import type { PayerAnswer } from '@hengfu/contract/payer-fields';
import type { MerchantTx } from '#db/database.ts';
import type { Collection } from '../collections.sql.ts';

/** The payment link of an order, with what its payer has filled in. */
export interface OrderLink {
  linkNo: string;
  title: string;
  quantity: number;
  answers: PayerAnswer[];
}

/** Finds the payment link of an order; undefined if it was not made with one. */
export async function findOrderLink(
  tx: MerchantTx,
  { id, paymentLinkId }: Collection,
): Promise<OrderLink | undefined> {
  if (paymentLinkId === null) return undefined;
  return tx.query
    .selectFrom('payment_link as l')
    .innerJoin('payment_link_order as o', 'o.merchant_id', 'l.merchant_id')
    .select(['l.link_no as linkNo', 'l.title', 'o.quantity', 'o.answers'])
    .where('l.merchant_id', '=', tx.merchantId)
    .where('l.id', '=', paymentLinkId)
    .where('o.collection_id', '=', id)
    .executeTakeFirst();
}
