import type { ChannelCode } from '@hengfu/contract/channels';
import type { PayerBrand } from '@hengfu/contract/checkout';
import type { CollectionStatus } from '@hengfu/contract/collections';
import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { ownBrandName } from '#domain/checkout-brand.sql.ts';
import { payerBrandOf } from '#domain/checkout-brand.ts';
import { hasReceipt } from '#domain/receipt-links.sql.ts';

/** A paid collection as its receipt shows it. */
export interface PaidOrder {
  merchantId: bigint;
  mode: MerchantMode;
  merchant: PayerBrand;
  registeredName: string;
  tradeNo: string;
  outTradeNo: string;
  subject: string | null;
  amountMinor: bigint;
  refundedMinor: bigint;
  currency: Currency;
  channel: ChannelCode;
  bankReference: string | null;
  createdAt: Date;
  paidAt: Date;
  refundedAt: Date | null;
  zone: string;
}

/** Finds the paid order behind a receipt's link, for two years after the payment. Anyone who has the link may see it. */
export async function findByToken(tx: Tx, token: string): Promise<PaidOrder | undefined> {
  const row = await tx.prepared
    .selectFrom('receipt_link as r')
    .innerJoin('collection as c', (join) =>
      join.onRef('c.merchant_id', '=', 'r.merchant_id').onRef('c.id', '=', 'r.collection_id'),
    )
    .innerJoin('merchant as m', 'm.id', 'r.merchant_id')
    .leftJoin('checkout_brand as b', 'b.merchant_id', 'r.merchant_id')
    .selectAll('c')
    .select([
      'm.name as merchant_name',
      'm.mode',
      'm.zone',
      ownBrandName.as('brand_name'),
      'b.color',
      'b.logo_name',
    ])
    .where('r.merchant_id', '=', sql<bigint>`any (merchants_in_lane(${token.slice(0, 4)}))`)
    .where('r.token', '=', token)
    .where(hasReceipt)
    .executeTakeFirst();
  if (!row?.paid_at || !row.channel) return undefined;
  return {
    merchantId: row.merchant_id,
    mode: row.mode,
    merchant: payerBrandOf(
      { name: row.brand_name, color: row.color, logoName: row.logo_name },
      row.merchant_name,
    ),
    registeredName: row.merchant_name,
    tradeNo: row.trade_no,
    outTradeNo: row.out_trade_no,
    subject: row.subject,
    amountMinor: row.amount_minor,
    refundedMinor: row.refunded_minor,
    currency: row.currency,
    channel: row.channel as ChannelCode,
    bankReference: row.bank_reference,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    refundedAt: row.refunded_at,
    zone: row.zone,
  };
}

/** Finds a collection of the transaction's merchant. */
export function findOrder(
  tx: MerchantTx,
  tradeNo: string,
): Promise<{ id: bigint; status: CollectionStatus; paid_at: Date | null; has_receipt: boolean } | undefined> {
  return tx.query
    .selectFrom('collection as c')
    .select(['id', 'status', 'paid_at', hasReceipt.as('has_receipt')])
    .where('merchant_id', '=', tx.merchantId)
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst();
}

/** Reads the logo that a merchant has now. */
export async function readLogo(tx: MerchantTx): Promise<Buffer | null> {
  const row = await tx.query
    .selectFrom('checkout_brand')
    .select('logo')
    .where('merchant_id', '=', tx.merchantId)
    .executeTakeFirst();
  return row?.logo ?? null;
}
