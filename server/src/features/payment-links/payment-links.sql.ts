import type { LateReturn } from '@hengfu/contract/cashier';
import type { PayerBrand } from '@hengfu/contract/checkout';
import type { CollectionStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import type { AskedFields, PayerAnswer } from '@hengfu/contract/payer-fields';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import { ownBrandName } from '#domain/checkout-brand.sql.ts';
import { payerBrandOf } from '#domain/checkout-brand.ts';
import type { Image } from '#domain/images.ts';
import { lateReturnOf } from '#domain/late-money.sql.ts';

/** A payment link as the service uses it. */
export interface PaymentLink {
  id: bigint;
  merchantId: bigint;
  linkNo: string;
  token: string;
  title: string;
  description: string | null;
  currency: Currency;
  /** The price of one; null if the payer chooses an amount within the limits. */
  amountMinor: bigint | null;
  leastMinor: bigint | null;
  mostMinor: bigint | null;
  maxQuantity: number;
  maxUses: number | null;
  asked: AskedFields;
  note: string | null;
  returnUrl: string | null;
  isOn: boolean;
  expiresAt: Date | null;
  liveOrders: number;
  paidOrders: number;
  paidMinor: bigint;
  createdAt: Date;
  /** SHA-256 of its picture, in hex. */
  pictureHash: string | null;
  /** The database's clock. */
  now: Date;
}

export type PaymentLinkSqlRow = Selectable<Schema['payment_link']> & {
  picture_hash: string | null;
  now: Date;
};

/** The columns of a {@link PaymentLinkSqlRow}; the table's alias is `l`. */
export const linkColumns = sql`l.*, now() as now, (
  select encode(i.sha256, 'hex') from payment_link_image i
  where i.merchant_id = l.merchant_id and i.link_id = l.id) as picture_hash`;

export function toLink(row: PaymentLinkSqlRow): PaymentLink {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    linkNo: row.link_no,
    token: row.token,
    title: row.title,
    description: row.description,
    currency: row.currency,
    amountMinor: row.amount_minor,
    leastMinor: row.least_minor,
    mostMinor: row.most_minor,
    maxQuantity: row.max_quantity,
    maxUses: row.max_uses,
    asked: row.asked,
    note: row.note,
    returnUrl: row.return_url,
    isOn: row.is_on,
    expiresAt: row.expires_at,
    liveOrders: row.live_orders,
    paidOrders: row.paid_orders,
    paidMinor: row.paid_minor,
    createdAt: row.created_at,
    pictureHash: row.picture_hash,
    now: row.now,
  };
}

/** The fields that a merchant sets. */
export type LinkFields = Pick<
  PaymentLink,
  | 'title'
  | 'description'
  | 'amountMinor'
  | 'leastMinor'
  | 'mostMinor'
  | 'maxQuantity'
  | 'maxUses'
  | 'asked'
  | 'note'
  | 'returnUrl'
  | 'expiresAt'
>;

function toColumns(link: LinkFields) {
  return {
    title: link.title,
    description: link.description,
    amount_minor: link.amountMinor,
    least_minor: link.leastMinor,
    most_minor: link.mostMinor,
    max_quantity: link.maxQuantity,
    max_uses: link.maxUses,
    asked: JSON.stringify(link.asked),
    note: link.note,
    return_url: link.returnUrl,
    expires_at: link.expiresAt,
  };
}

/** Counts the merchant's payment links. */
export async function countLinks(tx: MerchantTx): Promise<number> {
  const { count } = await tx.query
    .selectFrom('payment_link')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('merchant_id', '=', tx.merchantId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Inserts a payment link. `token` is the secret part of its address. Returns its number. */
export async function insertLink(
  tx: MerchantTx,
  fields: LinkFields,
  { currency, token, createdBy }: { currency: Currency; token: string; createdBy: string },
): Promise<{ id: bigint; linkNo: string }> {
  const row = await tx.query
    .insertInto('payment_link')
    .values({
      ...toColumns(fields),
      merchant_id: tx.merchantId,
      link_no: sql<string>`new_trade_no('L', ${tx.merchantId}, now())`,
      token: sql<string>`merchant_lane(${tx.merchantId}) || ${token}`,
      currency,
      created_by: createdBy,
    })
    .returning(['id', 'link_no as linkNo'])
    .executeTakeFirstOrThrow();
  return row;
}

/** Changes a payment link that the transaction has locked. */
export async function updateLink(
  tx: MerchantTx,
  link: PaymentLink,
  change: LinkFields | { isOn: boolean },
): Promise<void> {
  await tx.query
    .updateTable('payment_link')
    .set({
      ...('isOn' in change ? { is_on: change.isOn } : toColumns(change)),
      updated_at: sql<Date>`now()`,
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', link.id)
    .execute();
}

/** Sets the picture of a payment link, or removes it. */
export async function setPicture(tx: MerchantTx, linkId: bigint, picture: Image | null): Promise<void> {
  await tx.query
    .deleteFrom('payment_link_image')
    .where('merchant_id', '=', tx.merchantId)
    .where('link_id', '=', linkId)
    .execute();
  if (!picture) return;
  await tx.query
    .insertInto('payment_link_image')
    .values({ merchant_id: tx.merchantId, link_id: linkId, ...picture })
    .execute();
}

/** Finds a payment link of the transaction's merchant; `isHeld` locks it until the transaction ends. */
export async function findLink(
  tx: MerchantTx,
  by: { linkNo: string } | { id: bigint },
  { isHeld = false } = {},
): Promise<PaymentLink | undefined> {
  const condition = 'id' in by ? sql`l.id = ${by.id}` : sql`l.link_no = ${by.linkNo}`;
  const { rows } = await sql<PaymentLinkSqlRow>`
    select ${linkColumns} from payment_link l where l.merchant_id = ${tx.merchantId} and ${condition}
    ${isHeld ? sql`for update of l` : sql``}`.execute(tx.query);
  return rows[0] && toLink(rows[0]);
}

/** A payment link with its merchant, as payers see them. */
export interface OpenedLink extends PaymentLink {
  brand: PayerBrand;
  isSuspended: boolean;
}

interface Brand {
  merchant_name: string;
  brand_name: string | null;
  color: string | null;
  logo_name: string | null;
}

/** Finds the payment link behind an address. Anyone who has the address may see it. */
export async function findLinkByToken(tx: Tx, token: string): Promise<OpenedLink | undefined> {
  const { rows } = await sql<PaymentLinkSqlRow & Brand & { suspended_at: Date | null }>`
    select ${linkColumns}, m.name as merchant_name, ${ownBrandName} as brand_name, b.color, b.logo_name, m.suspended_at
    from payment_link l join merchant m on m.id = l.merchant_id
    left join checkout_brand b on b.merchant_id = l.merchant_id
    where l.merchant_id = any (merchants_in_lane(${token.slice(0, 4)})) and l.token = ${token}`.execute(
    tx.prepared,
  );
  const [row] = rows;
  if (!row) return undefined;
  const own = { name: row.brand_name, color: row.color, logoName: row.logo_name };
  const brand = payerBrandOf(own, row.merchant_name);
  return { ...toLink(row), brand, isSuspended: row.suspended_at !== null };
}

/** Finds the picture of a payment link. */
export function findPicture(tx: MerchantTx, linkId: bigint): Promise<Image | undefined> {
  return tx.query
    .selectFrom('payment_link_image')
    .select(['type', 'bytes', 'sha256'])
    .where('merchant_id', '=', tx.merchantId)
    .where('link_id', '=', linkId)
    .executeTakeFirst();
}

/** Stores what the payer of an order has filled in, and the hash of its addresses. */
export async function insertAnswers(
  tx: MerchantTx,
  orderId: bigint,
  { quantity, answers, payer }: { quantity: number; answers: readonly PayerAnswer[]; payer: Buffer },
): Promise<void> {
  await tx.query
    .insertInto('payment_link_order')
    .values({
      merchant_id: tx.merchantId,
      collection_id: orderId,
      quantity,
      answers: JSON.stringify(answers),
      payer,
    })
    .execute();
}

/** Counts a payer's orders that are to be paid, of a link that the transaction has locked. They live for minutes. */
export async function countLive(
  tx: MerchantTx,
  link: PaymentLink,
  payer: Buffer,
): Promise<{ ofCaller: number; ofSite: number }> {
  const { rows } = await sql<{ ofCaller: number; ofSite: number }>`
    select count(*) filter (where o.payer = ${payer})::integer as "ofCaller", count(*)::integer as "ofSite"
    from collection c
    join payment_link_order o on o.merchant_id = c.merchant_id and o.collection_id = c.id
    where c.merchant_id = ${tx.merchantId} and c.payment_link_id = ${link.id} and c.status = 'toBePaid'
      and c.created_at > now() - interval '1 hour' and substr(o.payer, 17) = substr(${payer}::bytea, 17)`.execute(
    tx.prepared,
  );
  return rows[0] ?? { ofCaller: 0, ofSite: 0 };
}

/** An order of a payment link, as far as it decides what its payer is told. */
export interface PayersOrder {
  status: CollectionStatus;
  paidAt: Date | null;
  holdsLinkUse: boolean | null;
  lateReturn: LateReturn | null;
  expiresAt: Date;
  now: Date;
}

/** Finds an order of a payment link by its checkout link. */
export function findPayersOrder(
  tx: MerchantTx,
  link: PaymentLink,
  cashierToken: string,
): Promise<PayersOrder | undefined> {
  return tx.query
    .selectFrom('collection')
    .select([
      'status',
      'paid_at as paidAt',
      'holds_link_use as holdsLinkUse',
      lateReturnOf('collection').as('lateReturn'),
      'expires_at as expiresAt',
      sql<Date>`now()`.as('now'),
    ])
    .where('merchant_id', '=', tx.merchantId)
    .where('payment_link_id', '=', link.id)
    .where('cashier_token', '=', cashierToken)
    .executeTakeFirst();
}
