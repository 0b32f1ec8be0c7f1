import type { CollectionDetail, CollectionRow } from '@hengfu/contract/collections';
import type { OpenCollection } from '@hengfu/contract/collections.open';
import { formatAmount } from '@hengfu/contract/money';
import type { CollectionEvents } from './cases/collection-history.ts';
import type { CollectionHistory } from './collections.reading.ts';
import type { Collection } from './collections.sql.ts';

/** Returns the URL of an order's checkout page. */
export function cashierUrlOf(appUrl: string, order: Pick<Collection, 'cashierToken'>): string {
  return `${appUrl}/pay/${order.cashierToken}`;
}

/** Maps an order to a row of the console's list. */
export function toRow(order: Collection): CollectionRow {
  const text = (minor: bigint) => formatAmount(minor, order.currency);
  const paidMinor = order.paidAt === null ? 0n : order.amountMinor - order.feeMinor;
  return {
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    status: order.status,
    settlementStatus: order.settlementStatus,
    amount: text(order.amountMinor),
    fee: text(order.feeMinor),
    net: text(paidMinor - (order.refundedMinor - order.refundedFeeMinor)),
    refunded: text(order.refundedMinor),
    refunding: text(order.refundingMinor),
    currency: order.currency,
    channel: order.channel,
    subject: order.subject,
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
    refundedAt: order.refundedAt?.toISOString() ?? null,
    settlement_no: order.settlementNo,
  };
}

/** Maps an order with its timeline and callback attempts to the console's detail page. */
export function toDetail(
  { attempts, canAsk, link, ...history }: CollectionHistory,
  appUrl: string,
): CollectionDetail {
  return {
    ...toFacts(history),
    cashierUrl: cashierUrlOf(appUrl, history.order),
    canAsk,
    link: link
      ? { link_no: link.linkNo, title: link.title, quantity: link.quantity, answers: link.answers }
      : null,
    callbacks: attempts.map(({ callbackId, ...attempt }) => ({
      ...attempt,
      at: attempt.at.toISOString(),
      callback_id: callbackId,
    })),
  };
}

/** Maps an order with its timeline to everything of the detail page but the links and callbacks. */
export function toFacts({
  order,
  events,
}: CollectionEvents): Omit<CollectionDetail, 'cashierUrl' | 'canAsk' | 'link' | 'callbacks'> {
  return {
    ...toRow(order),
    notifyUrl: order.notifyUrl,
    bankReference: order.bankReference,
    refundApprovalState: order.refundApprovalState,
    timeline: events.map((event) => ({ ...event, at: event.at.toISOString() })),
  };
}

/** Maps an order to its Open API form, for replies and callbacks. */
export function toOpenCollection(order: Collection, appUrl: string): OpenCollection {
  return {
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    status: order.status,
    amount: formatAmount(order.amountMinor, order.currency),
    fee: formatAmount(order.feeMinor, order.currency),
    currency: order.currency,
    channel: order.channel,
    subject: order.subject,
    cashierUrl: cashierUrlOf(appUrl, order),
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
    refundedAt: order.refundedAt?.toISOString() ?? null,
    failureCode: order.failureCode,
    failureReason: order.failureReason,
    refunded: formatAmount(order.refundedMinor, order.currency),
    refundPending: order.refundingMinor > 0n,
    refundApprovalState: order.refundApprovalState,
  };
}
