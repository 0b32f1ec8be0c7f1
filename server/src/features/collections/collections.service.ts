import { collectionMoves } from '@hengfu/contract/collections';
import type { CreateCollection } from '@hengfu/contract/collections.open';
import { type Currency, formatAmount, parseAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import type { Message } from '#callbacks/callbacks.sql.ts';
import { type Adapters, adapterNamed, ChannelUnavailable, type PaymentReport } from '#channels/channel.ts';
import { findServing } from '#channels/channels.sql.ts';
import { confirmEarlierCommits, type Database, isPast, type MerchantTx } from '#db/database.ts';
import { MerchantBatcher } from '#db/merchant-batcher.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { Home, MerchantActor } from '#domain/caller.ts';
import { assertCollectionWithinLimit } from '#domain/limits.sql.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { type CollectionMoves, invalidTransition } from './collections.moves.ts';
import { expirySeconds } from './collections.rules.ts';
import {
  type Collection,
  findCollection,
  insertCollections,
  insertEvent,
  listEvents,
  lockCollection,
  type NewCollection,
  newCashierToken,
} from './collections.sql.ts';

/** Gives a payment back that nobody may keep, in the transaction that has locked its order and booked it. */
type ReturnLate = (tx: MerchantTx, order: Collection) => Promise<void>;

/** Use cases of collections: create, find, cancel, and process a channel's reports. */
export class CollectionService {
  readonly #database: Database;
  readonly #moves: CollectionMoves;
  readonly #adapters: Adapters;
  readonly #returnLate: ReturnLate;
  /** Creates orders in micro-batches of all merchants. */
  readonly #creates: MerchantBatcher<NewCollection, Collection | undefined>;

  constructor(database: Database, moves: CollectionMoves, adapters: Adapters, returnLate: ReturnLate) {
    this.#database = database;
    this.#moves = moves;
    this.#adapters = adapters;
    this.#returnLate = returnLate;
    this.#creates = new MerchantBatcher({
      database,
      work: insertCollections,
      conflictKeysOf: ({ merchantId, outTradeNo }) => [`${merchantId} ${outTradeNo}`],
    });
  }

  /**
   * Creates an order, or returns the existing one for a repeated request. Callbacks of an order without a
   * `notifyUrl` go to `defaultNotifyUrl`. Throws `out_trade_no_used`, `channel_closed`, `limit_exceeded`, `merchant_suspended`,
   * `validation_failed`.
   */
  async create(
    home: Home,
    order: CreateCollection,
    defaultNotifyUrl: string | null = null,
  ): Promise<Collection> {
    const hash = requestHash(order);
    const amountMinor = amountFor(order, home.currency);
    const notifyUrl = order.notifyUrl ?? defaultNotifyUrl;
    const { merchantId } = home;
    const row = { ...newCollection(order), merchantId, notifyUrl, requestHash: hash, amountMinor };
    const created = await this.#creates.submit(row);
    if (created) return created;
    // A repeated request gets the same reply, even if the channel has closed since.
    const earlier = await this.#database.asMerchant(merchantId, async (tx) => {
      const found = await findCollection(tx, { outTradeNo: order.out_trade_no });
      if (found) await confirmEarlierCommits(tx);
      return found;
    });
    if (!earlier) {
      await this.#database.asMerchant(home.merchantId, async (tx) => {
        await assertMayBegin(tx, 'newCollection');
        await assertCollectionWithinLimit(tx, amountMinor);
      });
      throw new Refusal('channel_closed');
    }
    if (!earlier.requestHash.equals(hash)) throw new Refusal('out_trade_no_used');
    return earlier;
  }

  /** Finds an order. Throws `not_found`, also for another merchant's order. */
  async find(merchantId: bigint, by: { tradeNo: string } | { outTradeNo: string }): Promise<Collection> {
    const order = await this.#find(merchantId, by);
    if (!order) throw new Refusal('not_found');
    return order;
  }

  /**
   * Cancels an unpaid order, at the channel first if the payer was sent to one. Throws `not_found`,
   * `invalid_transition`, `channel_unavailable`.
   */
  async cancel(tradeNo: string, by: MerchantActor): Promise<Collection> {
    const { merchantId } = by.caller.home;
    const order = await this.find(merchantId, { tradeNo });
    if (order.status === 'cancelled') {
      // It may be a repetition of the call that cancelled it.
      await this.#database.asMerchant(merchantId, confirmEarlierCommits, { oneStatement: true });
      return order;
    }
    if (!canMove(collectionMoves, order.status, 'cancelled')) throw invalidTransition(order);
    const report = await this.#cancelAtChannel(order);
    if (report && report.status !== 'cancelled') {
      await this.report(report);
      throw invalidTransition(await this.find(merchantId, { tradeNo }));
    }
    const cancelled = await this.#database.asMerchant(merchantId, async (tx) => {
      const held = await lockCollection(tx, tradeNo);
      if (!held) throw new Refusal('not_found');
      if (held.status === 'cancelled') {
        await confirmEarlierCommits(tx);
        return held;
      }
      // Meanwhile the payer has chosen a channel, which does not know of the cancellation.
      if (held.status === 'toBePaid' && held.channel !== order.channel) return undefined;
      await writeAudit(tx, {
        merchantId,
        ...fieldsOfActor(by),
        action: 'collection.cancel',
        subject: tradeNo,
        before: { status: held.status },
        after: { status: 'cancelled' },
      });
      return this.#moves.giveUp(tx, held, 'cancelled', { reason: 'cancelled_by_merchant' });
    });
    return cancelled ?? this.cancel(tradeNo, by);
  }

  /**
   * Processes a report of a payment's outcome, from a query, or from a callback of a channel. Idempotent. Throws `not_found`, also for an
   * order that another channel serves.
   */
  async report(report: PaymentReport, channel?: string): Promise<void> {
    const merchantId = await this.#database.asSystem(
      (tx) => findMerchantOf(tx, 'collection', report.reference),
      {
        oneStatement: true,
      },
    );
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockCollection(tx, report.reference);
      if (!order || (channel !== undefined && order.channel !== channel)) throw new Refusal('not_found');
      if (report.status === 'paid') await this.#bookPayment(tx, order, report);
      else if (report.status === 'refused' && order.status === 'toBePaid') {
        await this.#moves.giveUp(tx, order, 'failed', { reason: 'channel_refused', refused: report.reason });
      }
    });
  }

  /** Records that the merchant's server acknowledged a callback about an order. */
  readonly acknowledged = async (tx: MerchantTx, message: Message): Promise<void> => {
    if (message.event !== 'collection.paid') return;
    const order = await lockCollection(tx, message.subjectNo);
    if (order) await this.#moves.acknowledge(tx, order);
  };

  #find(
    merchantId: bigint,
    by: { tradeNo: string } | { outTradeNo: string },
  ): Promise<Collection | undefined> {
    return this.#database.asMerchant(merchantId, (tx) => findCollection(tx, by), { oneStatement: true });
  }

  /** Books a payment only if the channel reports exactly the amount of the order. */
  async #bookPayment(tx: MerchantTx, order: Collection, report: PaymentReport): Promise<void> {
    if (report.amountMinor === order.amountMinor && report.currency === order.currency) {
      // An expired order that the sweep has not closed yet is closed first: the payment counts as late.
      const isExpired = order.status === 'toBePaid' && (await isPast(tx, order.expiresAt));
      const held = isExpired ? await this.#moves.giveUp(tx, order, 'closed', { reason: 'expired' }) : order;
      const paid = await this.#moves.pay(tx, held, report);
      // All uses of its payment link were taken before the payment arrived.
      if (paid !== held && paid.holdsLinkUse === false) await this.#returnLate(tx, paid);
      return;
    }
    const reason = 'amount_mismatch';
    if ((await listEvents(tx, order)).some((event) => event.reason === reason)) return;
    const detail = `${formatAmount(report.amountMinor, order.currency)} ${report.currency} (${report.bankReference})`;
    await insertEvent(tx, order, { reason, detail });
    tx.changed(tx.merchantId, 'collections');
  }

  async #cancelAtChannel(order: Collection): Promise<PaymentReport | undefined> {
    const { channel } = order;
    if (channel === null) return undefined;
    try {
      const serving = await this.#database.asMerchant(order.merchantId, (tx) => findServing(tx, channel));
      if (!serving) return undefined;
      return await adapterNamed(this.#adapters, serving.adapter).cancelCollection(order.tradeNo);
    } catch (error) {
      if (error instanceof ChannelUnavailable) throw new Refusal('channel_unavailable');
      throw error;
    }
  }
}

/** Maps a request to a new row, except for merchant, amount, hash and callback URL. */
function newCollection(
  order: CreateCollection,
): Omit<NewCollection, 'merchantId' | 'requestHash' | 'amountMinor' | 'notifyUrl'> {
  return {
    outTradeNo: order.out_trade_no,
    currency: order.currency,
    channel: order.channel ?? null,
    subject: order.subject ?? null,
    returnUrl: order.returnUrl ?? null,
    cashierToken: newCashierToken(),
    expirySeconds: expirySeconds(order),
  };
}

/** Parses an order's amount into minor units. Throws if it is invalid or not in the merchant's currency. */
function amountFor(order: CreateCollection, home: Currency): bigint {
  if (order.currency !== home)
    throw fieldRefusal('currency', 'validation.currencyNotHome', { currency: home });
  const amountMinor = parseAmount(order.amount, order.currency);
  if (amountMinor === undefined) throw fieldRefusal('amount', 'validation.amount');
  return amountMinor;
}
