import type { Currency } from '@hengfu/contract/money';
import type { TopupCoin, TopupStatus } from '@hengfu/contract/topups';
import type { Network } from '@hengfu/contract/wallets';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import {
  type ChainTransaction,
  claimTransaction,
  releaseTransaction,
} from '#domain/chain-transactions.sql.ts';
import type { Image } from '#domain/images.ts';
import { fieldRefusal } from '#domain/refusal.ts';

/** A top-up as the service works with it. */
export interface Topup {
  id: bigint;
  merchantId: bigint;
  tradeNo: string;
  status: TopupStatus;
  coin: TopupCoin;
  usdtMinor: bigint;
  arrivedUsdtMinor: bigint | null;
  currency: Currency;
  amountMinor: bigint;
  usdMinor: bigint | null;
  /** Local currency per USDT; `usdRate` is US dollars per USDT. */
  rate: string;
  usdRate: string | null;
  network: Network;
  address: string;
  transactionId: string;
  rejectReason: string | null;
  createdAt: Date;
  reviewedAt: Date | null;
  paidAt: Date | null;
}

export type TopupSqlRow = Selectable<Schema['topup']>;

export function toTopup(row: TopupSqlRow): Topup {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    tradeNo: row.trade_no,
    status: row.status,
    coin: row.coin,
    usdtMinor: row.usdt_minor,
    arrivedUsdtMinor: row.arrived_usdt_minor,
    currency: row.currency,
    amountMinor: row.amount_minor,
    usdMinor: row.usd_minor,
    rate: plain(row.usdt_rate),
    usdRate: row.usd_rate === null ? null : plain(row.usd_rate),
    network: row.network,
    address: row.address,
    transactionId: row.transaction_id,
    rejectReason: row.reject_reason,
    createdAt: row.created_at,
    reviewedAt: row.reviewed_at,
    paidAt: row.paid_at,
  };
}

/** Removes the trailing zeros that the column's scale adds to a rate. */
function plain(rate: string): string {
  return rate.replace(/\.?0+$/, '');
}

export type NewTopup = Pick<
  Topup,
  | 'coin'
  | 'usdtMinor'
  | 'currency'
  | 'amountMinor'
  | 'usdMinor'
  | 'rate'
  | 'usdRate'
  | 'network'
  | 'address'
  | 'transactionId'
> & { createdBy: string };

/** Counts the merchant's top-ups that wait for review. */
export async function countWaiting(tx: MerchantTx): Promise<number> {
  const { count } = await tx.query
    .selectFrom('topup')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('merchant_id', '=', tx.merchantId)
    .where('status', '=', 'pendingReview')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Inserts a top-up with its picture. Throws `validation_failed` if its transaction was already submitted. */
export async function insertTopup(tx: MerchantTx, order: NewTopup, image: Image): Promise<Topup> {
  const row = await tx.query
    .insertInto('topup')
    .values({
      merchant_id: tx.merchantId,
      trade_no: sql<string>`new_trade_no('T', ${tx.merchantId}, now())`,
      coin: order.coin,
      usdt_minor: order.usdtMinor,
      currency: order.currency,
      amount_minor: order.amountMinor,
      usd_minor: order.usdMinor,
      usdt_rate: order.rate,
      usd_rate: order.usdRate,
      network: order.network,
      address: order.address,
      transaction_id: order.transactionId,
      created_by: order.createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const topup = toTopup(row);
  await claimTransaction(tx, transactionOf(topup), () =>
    fieldRefusal('transactionId', 'validation.transactionUsed'),
  );
  await tx.query
    .insertInto('topup_image')
    .values({ merchant_id: tx.merchantId, topup_id: row.id, ...image })
    .execute();
  return topup;
}

function transactionOf({ network, transactionId, tradeNo }: Topup): ChainTransaction {
  return { kind: 'topup', network, transactionId, tradeNo };
}

/** Finds one top-up of the transaction's merchant; `isHeld` locks it until the transaction ends. */
export async function findTopup(
  tx: MerchantTx,
  tradeNo: string,
  { isHeld = false } = {},
): Promise<Topup | undefined> {
  const row = await tx.query
    .selectFrom('topup')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .where('trade_no', '=', tradeNo)
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && toTopup(row);
}

/** Finds the picture of a top-up of the transaction's merchant. */
export async function findImage(tx: MerchantTx, tradeNo: string): Promise<Image | undefined> {
  return tx.query
    .selectFrom('topup as t')
    .innerJoin('topup_image as i', (join) =>
      join.onRef('i.merchant_id', '=', 't.merchant_id').onRef('i.topup_id', '=', 't.id'),
    )
    .select(['i.type', 'i.bytes', 'i.sha256'])
    .where('t.merchant_id', '=', tx.merchantId)
    .where('t.trade_no', '=', tradeNo)
    .executeTakeFirst();
}

/** The result of a review. */
export interface Finding {
  arrivedUsdtMinor?: bigint;
  amountMinor?: bigint;
  usdMinor?: bigint | null;
  rejectReason?: string;
}

/**
 * Moves a top-up that the transaction has locked; undefined if its status is no longer the one that the
 * caller read.
 */
export async function moveTopup(
  tx: MerchantTx,
  order: Topup,
  to: TopupStatus,
  found: Finding,
): Promise<Topup | undefined> {
  const row = await tx.query
    .updateTable('topup')
    .set({
      status: to,
      ...(to === 'paid' ? { paid_at: sql<Date>`now()` } : { reviewed_at: sql<Date>`now()` }),
      ...(found.arrivedUsdtMinor !== undefined && { arrived_usdt_minor: found.arrivedUsdtMinor }),
      ...(found.amountMinor !== undefined && { amount_minor: found.amountMinor }),
      ...(found.usdMinor !== undefined && { usd_minor: found.usdMinor }),
      ...(found.rejectReason !== undefined && { reject_reason: found.rejectReason }),
    })
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', order.id)
    .where('status', '=', order.status)
    .returningAll()
    .executeTakeFirst();
  if (row && to === 'rejected') await releaseTransaction(tx, transactionOf(order));
  return row && toTopup(row);
}
