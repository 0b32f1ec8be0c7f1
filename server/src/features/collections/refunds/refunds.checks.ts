import { collectionMoves } from '@hengfu/contract/collections';
import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import { confirmEarlierCommits, type MerchantTx } from '#db/database.ts';
import { holdRules } from '#domain/approvals.sql.ts';
import type { writeAudit } from '#domain/audit.sql.ts';
import type { Program, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { holdSettling } from '#domain/settling.sql.ts';
import { invalidTransition } from '../collections.moves.ts';
import { type Collection, findCollection } from '../collections.sql.ts';
import { leftOf } from './refunds.reading.ts';
import { findRefund, type Refund } from './refunds.sql.ts';

/** Somebody who asks for a refund, as the audit trail names them. */
export type Asker = Pick<
  Parameters<typeof writeAudit>[1],
  'actor' | 'roles' | 'userAgent' | 'address' | 'requestId'
>;

/** The wanted refund: an amount in minor units, or all that is left. */
export interface WantedRefund {
  amountMinor: bigint | undefined;
  outRefundNo: string | null;
  requestHash: Buffer;
  reason: string | null;
}

/**
 * Lets one transaction at a time refund a merchant's payments. Returns whether rules of the merchant could cover a refund, which then are
 * locked, too: first.
 */
export async function holdRefunds(tx: MerchantTx): Promise<boolean> {
  const isRuled = await holdRules(tx, 'refund');
  await holdSettling(tx);
  return isRuled;
}

export function askerOf({ keyId }: Program, { address, id: requestId }: RequestInfo): Asker {
  return { actor: `key:${keyId}`, address, requestId };
}

/** Finds the refund that the same call has made before. Throws `out_trade_no_used` if another call used its number. */
export async function earlierRefund(
  tx: MerchantTx,
  { outRefundNo, requestHash: hash }: WantedRefund,
): Promise<Refund | undefined> {
  if (outRefundNo === null) return undefined;
  const found = await findRefund(tx, { outRefundNo });
  if (!found) return undefined;
  if (!found.request_hash?.equals(hash)) throw new Refusal('out_trade_no_used');
  await confirmEarlierCommits(tx);
  return found;
}

/**
 * Finds an order of which nothing is left to refund: all of it was given back, is being given back, or waits for approval. The
 * transaction holds the merchant's refunds. Throws `not_found`.
 */
export async function findBegun(tx: MerchantTx, tradeNo: string): Promise<Collection | undefined> {
  const order = await findCollection(tx, { tradeNo });
  if (!order) throw new Refusal('not_found');
  if (order.status !== 'refunded' && (await leftOf(tx, order)) > 0n) return undefined;
  await confirmEarlierCommits(tx);
  return order;
}

/** Finds a paid order. Throws `not_found`, `invalid_transition`. */
export async function findRefundable(tx: MerchantTx, tradeNo: string): Promise<Collection> {
  const order = await findCollection(tx, { tradeNo });
  if (!order) throw new Refusal('not_found');
  assertPaid(order);
  return order;
}

export function assertPaid(order: Collection): void {
  if (!canMove(collectionMoves, order.status, 'refunded')) throw invalidTransition(order);
}

/** Returns what is to be given back, in minor units: by default all that is left. Throws `refund_exceeds` if less is left. */
export async function assertLeft(
  tx: MerchantTx,
  order: Collection,
  amountMinor: bigint | undefined,
): Promise<bigint> {
  const leftMinor = await leftOf(tx, order);
  const wanted = amountMinor ?? leftMinor;
  if (wanted <= leftMinor && wanted > 0n) return wanted;
  const left = formatAmount(leftMinor, order.currency);
  const { currency } = order;
  throw new Refusal('refund_exceeds', {
    values: { left, currency },
    details: { left, currency },
    fields: [{ field: 'amount', phrase: 'validation.refundExceeds', values: { left, currency } }],
  });
}
