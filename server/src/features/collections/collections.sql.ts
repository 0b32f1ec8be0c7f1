import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ChannelRefusal, CollectionRefusal } from '@hengfu/contract/channels';
import type { CollectionStatus, SettlementStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';
import type { Schema } from '#db/schema.ts';
import type { OpenNonce } from '#domain/caller.ts';
import { claimsOf, type NonceRefusal } from '#domain/nonce-claims.ts';
import { randomText } from '#security/random-text.ts';

/** A collection as the service uses it. */
export interface Collection {
  id: bigint;
  merchantId: bigint;
  tradeNo: string;
  outTradeNo: string;
  requestHash: Buffer;
  status: CollectionStatus;
  settlementStatus: SettlementStatus | null;
  currency: Currency;
  amountMinor: bigint;
  feeMinor: bigint;
  channel: string | null;
  subject: string | null;
  notifyUrl: string | null;
  returnUrl: string | null;
  cashierToken: string;
  bankReference: string | null;
  failureCode: CollectionRefusal | null;
  /** The channel's own text. */
  failureReason: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
  refundedAt: Date | null;
  /** Given back to the payer, and of that what was returned of the fee; minor units. */
  refundedMinor: bigint;
  refundedFeeMinor: bigint;
  /** On the way back to the payer, likewise. */
  refundingMinor: bigint;
  refundingFeeMinor: bigint;
  /** The state of the last request for a refund; null if no rule covers it. */
  refundApprovalState: ApprovalState | null;
  settlementId: bigint | null;
  settlementNo: string | null;
  /** The payment link that it was made with. */
  paymentLinkId: bigint | null;
  /** Whether it holds one of the link's uses; null without a link. */
  holdsLinkUse: boolean | null;
}

export type CollectionSqlRow = Selectable<Schema['collection']> & { settlement_no: string | null };

/** The columns of a {@link CollectionSqlRow}; the table's alias is `c`. */
export const collectionColumns: RawBuilder<unknown> = sql`c.*,
  (select s.settlement_no from settlement s where s.merchant_id = c.merchant_id and s.id = c.settlement_id) as settlement_no`;

export function toCollection(row: CollectionSqlRow): Collection {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    tradeNo: row.trade_no,
    outTradeNo: row.out_trade_no,
    requestHash: row.request_hash,
    status: row.status,
    settlementStatus: row.settlement_status,
    currency: row.currency,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    channel: row.channel,
    subject: row.subject,
    notifyUrl: row.notify_url,
    returnUrl: row.return_url,
    cashierToken: row.cashier_token,
    bankReference: row.bank_reference,
    failureCode: row.failure_code,
    failureReason: row.failure_reason,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    paidAt: row.paid_at,
    refundedAt: row.refunded_at,
    refundedMinor: row.refunded_minor,
    refundedFeeMinor: row.refunded_fee_minor,
    refundingMinor: row.refunding_minor,
    refundingFeeMinor: row.refunding_fee_minor,
    // The version before writes a column of its own.
    refundApprovalState: row.latest_refund_approval ?? row.refund_approval_state,
    settlementId: row.settlement_id,
    settlementNo: row.settlement_no,
    paymentLinkId: row.payment_link_id,
    holdsLinkUse: row.holds_link_use,
  };
}

/** Creates the secret part of an order's checkout link. */
export function newCashierToken(): string {
  return randomText(16, 'base64url');
}

export interface NewCollection {
  merchantId: bigint;
  outTradeNo: string;
  requestHash: Buffer;
  currency: Currency;
  amountMinor: bigint;
  channel: string | null;
  subject: string | null;
  notifyUrl: string | null;
  returnUrl: string | null;
  cashierToken: string;
  expirySeconds: number;
  paymentLinkId?: bigint | undefined;
  /** The nonce of the call that creates it, which is claimed with the order if it is open. */
  nonce?: OpenNonce | undefined;
}

/**
 * Creates orders of the transaction's merchants, each with its first event, in one statement. Returns undefined in place of an
 * order whose merchant has used the number before, is suspended, or may not collect through the channel now. No two
 * orders of a merchant may share a number.
 */
export async function insertCollections(
  tx: Tx,
  orders: readonly NewCollection[],
): Promise<(Collection | undefined)[]> {
  const { rows } = await sql<CreatedRow>`
    select * from create_collections(${JSON.stringify(orders.map(toColumns))}::json)`.execute(tx.prepared);
  return inPlaces(tx, orders, rows);
}

/**
 * Creates orders of signed calls in the same way, and claims their open nonces in the same statement. Returns the answer in place of an order
 * whose nonce was refused.
 */
export async function insertSignedCollections(
  tx: Tx,
  orders: readonly NewCollection[],
): Promise<(Collection | NonceRefusal | undefined)[]> {
  const claims = claimsOf(orders);
  if (claims === undefined) return insertCollections(tx, orders);
  const { rows } = await sql<CreatedRow & { place: number | null; answer: NonceRefusal | null }>`
    select place, answer, (created).*
    from create_signed_collections(${JSON.stringify(orders.map(toColumns))}::json, ${claims}::json)`.execute(
    tx.prepared,
  );
  const refused = new Map(rows.map(({ place, answer }) => [place, answer]));
  const created = rows.filter(({ answer }) => answer === null);
  return inPlaces(tx, orders, created).map((order, index) => order ?? refused.get(index + 1) ?? undefined);
}

type CreatedRow = Selectable<Schema['collection']>;

/** Returns created orders in the places of the new ones. */
function inPlaces(
  tx: Tx,
  orders: readonly NewCollection[],
  rows: readonly CreatedRow[],
): (Collection | undefined)[] {
  const created = new Map(
    rows.map((row) => [
      nameOf(row.merchant_id, row.out_trade_no),
      toCollection({ ...row, settlement_no: null }),
    ]),
  );
  for (const { merchantId } of created.values()) tx.changed(merchantId, 'collections', 'dashboard');
  return orders.map(({ merchantId, outTradeNo }) => created.get(nameOf(merchantId, outTradeNo)));
}

const nameOf = (merchantId: bigint, outTradeNo: string) => `${merchantId} ${outTradeNo}`;

function toColumns(order: NewCollection) {
  return {
    merchant_id: String(order.merchantId),
    out_trade_no: order.outTradeNo,
    request_hash: `\\x${order.requestHash.toString('hex')}`,
    currency: order.currency,
    amount_minor: String(order.amountMinor),
    channel: order.channel,
    subject: order.subject,
    notify_url: order.notifyUrl,
    return_url: order.returnUrl,
    cashier_token: order.cashierToken,
    expiry_seconds: order.expirySeconds,
    ...(order.paymentLinkId !== undefined && { payment_link_id: String(order.paymentLinkId) }),
  };
}

/** Finds an order of the transaction's merchant. */
export async function findCollection(
  tx: MerchantTx,
  by: { tradeNo: string } | { outTradeNo: string },
): Promise<Collection | undefined> {
  const condition =
    'tradeNo' in by ? sql`c.trade_no = ${by.tradeNo}` : sql`c.out_trade_no = ${by.outTradeNo}`;
  const { rows } = await sql<CollectionSqlRow>`
    select ${collectionColumns} from collection c where c.merchant_id = ${tx.merchantId} and ${condition}`.execute(
    tx.prepared,
  );
  return rows[0] && toCollection(rows[0]);
}

/** Finds an order and locks it until the transaction ends. Every move requires this lock. */
export async function lockCollection(tx: MerchantTx, tradeNo: string): Promise<Collection | undefined> {
  const { rows } = await sql<CollectionSqlRow>`
    select ${collectionColumns} from collection c
    where c.merchant_id = ${tx.merchantId} and c.trade_no = ${tradeNo} for update`.execute(tx.prepared);
  return rows[0] && toCollection(rows[0]);
}

/** Changes that come with a move, besides the status. */
export interface MoveChanges {
  paid?: { feeMinor: bigint; bankReference: string };
  /** Backdates the move, for demo data and loaders. */
  at?: Date;
  refunded?: boolean;
  refused?: ChannelRefusal<CollectionRefusal> | null;
}

/** Moves an order that the transaction has locked. Returns undefined if its status has changed. */
export async function moveCollection(
  tx: MerchantTx,
  order: Collection,
  to: CollectionStatus,
  changes: MoveChanges = {},
): Promise<Collection | undefined> {
  const at = sql<Date>`coalesce(${changes.at ?? null}::timestamptz, now())`;
  const row = await tx.prepared
    .updateTable('collection')
    .set({
      status: to,
      ...(changes.paid && {
        paid_at: at,
        fee_minor: changes.paid.feeMinor,
        bank_reference: changes.paid.bankReference,
        settlement_status: 'unsettled' as const,
        failure_code: null,
        failure_reason: null,
      }),
      ...(changes.refunded && { refunded_at: at }),
      ...(changes.refused && {
        failure_code: changes.refused.code,
        failure_reason: changes.refused.words,
      }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .where('status', '=', order.status)
    .returningAll()
    .executeTakeFirst();
  return row && toCollection({ ...row, settlement_no: order.settlementNo });
}

/** Adds an event to an order's timeline. */
export async function insertEvent(
  tx: MerchantTx,
  order: Collection,
  event: Pick<MoveChanges, 'refused' | 'at'> & { reason: string; detail?: string | null },
): Promise<void> {
  await tx.prepared
    .insertInto('collection_event')
    .values({
      merchant_id: tx.merchantId,
      collection_id: order.id,
      status: order.status,
      reason: event.reason,
      refusal: event.refused?.code ?? null,
      detail: event.refused?.words ?? event.detail ?? null,
      ...(event.at && { at: event.at }),
    })
    .execute();
}

/** Lists an order's timeline, oldest first. */
export async function listEvents(tx: MerchantTx, order: Collection) {
  return tx.query
    .selectFrom('collection_event')
    .select(['at', 'status', 'reason', 'refusal', 'detail'])
    .where('merchant_id', '=', tx.merchantId)
    .where('collection_id', '=', order.id)
    .where('at', '>=', historyStart(order.createdAt))
    .orderBy('id')
    .execute();
}

/** Finds unpaid orders that have expired, oldest first. */
export async function findExpired(tx: Tx, limit: number): Promise<{ merchantId: bigint; tradeNo: string }[]> {
  const rows = await tx.query
    .selectFrom('collection')
    .select(['merchant_id', 'trade_no'])
    .where('status', '=', 'toBePaid')
    .where('expires_at', '<', sql<Date>`now()`)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ merchantId: row.merchant_id, tradeNo: row.trade_no }));
}
