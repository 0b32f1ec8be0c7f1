import type { ChannelRefusal, CollectionRefusal } from '@hengfu/contract/channels';
import { collectionMoves } from '@hengfu/contract/collections';
import type { CollectionEvent } from '@hengfu/contract/collections.open';
import { canMove } from '@hengfu/contract/moves';
import { queueCallback } from '#callbacks/callbacks.ts';
import type { PaymentReport } from '#channels/channel.ts';
import type { MerchantTx } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import { post } from '#ledger/ledger.ts';
import { collectionFee, isGivenUp } from './collections.rules.ts';
import { type Collection, insertEvent, type MoveChanges, moveCollection } from './collections.sql.ts';
import { toOpenCollection } from './collections.view.ts';
import { findTerms } from './collections-channels.sql.ts';

/**
 * The moves of an order. Each runs in the caller's transaction, which has locked the order; status, rollup (by a
 * trigger), ledger, timeline and callback change together or not at all. Locks are taken in a fixed order to prevent
 * deadlocks: the order, the merchant's rollup stripe, the ledger's accounts.
 */
export class CollectionMoves {
  readonly #appUrl: () => string;

  /** @param appUrl public base URL, known once the server listens */
  constructor(appUrl: () => string) {
    this.#appUrl = appUrl;
  }

  /** Books the payment that the channel has received. Does nothing if the order was already paid. */
  async pay(tx: MerchantTx, order: Collection, report: PaymentReport, at?: Date): Promise<Collection> {
    if (!canMove(collectionMoves, order.status, 'paid')) return order;
    const channel = order.channel;
    if (channel === null) throw new Error(`order ${order.tradeNo} was paid but has no channel`);
    const terms = await findTerms(tx, channel, order.createdAt);
    if (!terms) throw new Error(`merchant ${tx.merchantId} has no terms for ${channel}`);
    const feeMinor = collectionFee(order.amountMinor, terms);
    const isLate = isGivenUp(order.status);
    const paid = await this.#move(tx, order, 'paid', {
      paid: { feeMinor, bankReference: report.bankReference },
      reason: isLate ? 'late_payment' : 'channel_paid',
      ...(at && { at }),
    });
    await post(tx, {
      type: 'collection_payment',
      key: `collection_payment:${order.tradeNo}`,
      subjectNo: order.tradeNo,
      currency: order.currency,
      entries: [
        { account: 'clearing', reference: channel, amountMinor: -order.amountMinor },
        { account: 'unsettled', amountMinor: order.amountMinor - feeMinor },
        { account: 'fees', amountMinor: feeMinor },
      ],
      ...(at && { at }),
    });
    tx.changed(tx.merchantId, 'account');
    if (paid.holdsLinkUse === false)
      await insertEvent(tx, paid, { reason: 'link_used_up', ...(at && { at }) });
    if (await this.#notify(tx, paid, 'collection.paid')) return paid;
    return this.#move(tx, paid, 'success', { reason: 'no_callback_wanted', ...(at && { at }) });
  }

  /** Completes a paid order after the merchant's server has acknowledged the payment. */
  async acknowledge(tx: MerchantTx, order: Collection): Promise<void> {
    if (order.status === 'paid') await this.#move(tx, order, 'success', { reason: 'callback_acknowledged' });
  }

  /** Ends an unpaid order: refused by the channel, canceled by the merchant, or expired. */
  async giveUp(
    tx: MerchantTx,
    order: Collection,
    to: 'failed' | 'cancelled' | 'closed',
    why: { reason: string; refused?: ChannelRefusal<CollectionRefusal> | null; at?: Date },
  ): Promise<Collection> {
    const lost = await this.#move(tx, order, to, why);
    if (to !== 'cancelled')
      await this.#notify(tx, lost, to === 'failed' ? 'collection.failed' : 'collection.closed');
    return lost;
  }

  /** Records that the channel has refunded the payer. */
  async refunded(tx: MerchantTx, order: Collection, at?: Date): Promise<Collection> {
    const refunded = await this.#move(tx, order, 'refunded', {
      refunded: true,
      reason: 'refunded',
      ...(at && { at }),
    });
    await this.#notify(tx, refunded, 'collection.refunded');
    return refunded;
  }

  async #move(
    tx: MerchantTx,
    order: Collection,
    to: Collection['status'],
    change: MoveChanges & { reason: string },
  ): Promise<Collection> {
    const moved = canMove(collectionMoves, order.status, to)
      ? await moveCollection(tx, order, to, change)
      : undefined;
    if (!moved) throw invalidTransition(order);
    await insertEvent(tx, moved, change);
    tx.changed(tx.merchantId, 'collections', 'dashboard');
    return moved;
  }

  /** Queues the callbacks of an event. Returns false if the order has no callback URL of its own. */
  async #notify(tx: MerchantTx, order: Collection, event: CollectionEvent): Promise<boolean> {
    const data = toOpenCollection(order, this.#appUrl());
    const body = JSON.stringify({ type: event, timestamp: new Date().toISOString(), data });
    await queueCallback(tx, {
      subjectKind: 'collection',
      subjectNo: order.tradeNo,
      event,
      url: order.notifyUrl,
      body,
    });
    return order.notifyUrl !== null;
  }
}

/** Returns the refusal of a move that the order's status does not allow. */
export function invalidTransition(order: Collection): Refusal {
  return new Refusal('invalid_transition', { values: { status: `collections.status.${order.status}` } });
}
