import type { LateReturn } from '@hengfu/contract/cashier';
import type { CollectionRefusal } from '@hengfu/contract/channels';
import type { PayerBrand } from '@hengfu/contract/checkout';
import type { CollectionStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import { adapterFor, methodFor, type Serving, servesMode } from '#channels/channels.sql.ts';
import type { MerchantTx, Tx } from '#db/database.ts';
import { ownBrandName } from '#domain/checkout-brand.sql.ts';
import { payerBrandOf } from '#domain/checkout-brand.ts';
import { lateReturnOf } from '#domain/late-money.sql.ts';
import { hasReceipt } from '#domain/receipt-links.sql.ts';
import { mayBegin } from '#domain/standing.sql.ts';

/** An order as the checkout uses it. */
export interface CashierOrder {
  id: bigint;
  merchantId: bigint;
  /** Its registered name, which the channel gets. */
  merchantName: string;
  brand: PayerBrand;
  tradeNo: string;
  status: CollectionStatus;
  /** Whether it is paid, and its receipt has not ended. */
  hasReceipt: boolean;
  amountMinor: bigint;
  refundedMinor: bigint;
  lateReturn: LateReturn | null;
  currency: Currency;
  subject: string | null;
  channel: string | null;
  payUrl: string | null;
  qrContent: string | null;
  returnUrl: string | null;
  failureCode: CollectionRefusal | null;
  expiresAt: Date;
  now: Date;
}

/** Finds the order behind a checkout link. Anyone who has the link may see it. */
export async function findByToken(tx: Tx, token: string): Promise<CashierOrder | undefined> {
  const row = await tx.prepared
    .selectFrom('collection as c')
    .innerJoin('merchant as m', 'm.id', 'c.merchant_id')
    .leftJoin('checkout_brand as b', 'b.merchant_id', 'c.merchant_id')
    .selectAll('c')
    .select([
      'm.name as merchant_name',
      ownBrandName.as('brand_name'),
      'b.color as brand_color',
      'b.logo_name',
      sql<Date>`now()`.as('now'),
      hasReceipt.as('has_receipt'),
      lateReturnOf('c').as('late_return'),
    ])
    .where('c.merchant_id', '=', sql<bigint>`any (merchants_in_lane(${token.slice(0, 4)}))`)
    .where('c.cashier_token', '=', token)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    brand: payerBrandOf(
      { name: row.brand_name, color: row.brand_color, logoName: row.logo_name },
      row.merchant_name,
    ),
    tradeNo: row.trade_no,
    status: row.status,
    hasReceipt: row.has_receipt,
    amountMinor: row.amount_minor,
    refundedMinor: row.refunded_minor,
    lateReturn: row.late_return,
    currency: row.currency,
    subject: row.subject,
    channel: row.channel,
    payUrl: row.pay_url,
    qrContent: row.qr_content,
    returnUrl: row.return_url,
    failureCode: row.failure_code,
    expiresAt: row.expires_at,
    now: row.now,
  };
}

/**
 * Lists the channels that can take a payment of this order now: open, in its currency and in the merchant's
 * terms. None while the merchant is suspended.
 */
export async function listOpenChannels(
  tx: MerchantTx,
  order: CashierOrder,
): Promise<(Serving & { code: string })[]> {
  const { rows } = await sql<Serving & { code: string }>`
    select ch.code, ${adapterFor(tx)} as adapter, ${methodFor(tx)} as method from channel ch
    where ch.collection_open and ${servesMode(tx)} and ch.currency = ${order.currency}
      and ${mayBegin(tx, 'newPaymentAttempt')}
      and (${order.channel}::text is null or ch.code = ${order.channel})
      and exists (select from merchant_terms t
        where t.merchant_id = ${tx.merchantId} and t.channel = ch.code and t.valid_from <= now())
    order by ch.code`.execute(tx.query);
  return rows;
}

/** Fixes the channel of an order. Returns false if it can't be paid any more or has another channel. */
export async function claimChannel(tx: MerchantTx, order: CashierOrder, channel: string): Promise<boolean> {
  const result = await tx.query
    .updateTable('collection')
    .set({ channel })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .where('status', '=', 'toBePaid')
    .where('expires_at', '>', sql<Date>`now()`)
    .where((eb) => eb.or([eb('channel', 'is', null), eb('channel', '=', channel)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Saves the payment page and QR code that the channel returned. Returns false if the order was cancelled meanwhile. */
export async function savePayment(
  tx: MerchantTx,
  order: CashierOrder,
  payment: { payUrl: string; qrContent: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('collection')
    .set({ pay_url: payment.payUrl, qr_content: payment.qrContent })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .where('status', '<>', 'cancelled')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
