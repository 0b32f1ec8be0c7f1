import { randomBytes } from 'node:crypto';
import { collectionMoves } from '@hengfu/contract/collections';
import type { CreateCollection } from '@hengfu/contract/collections.open';
import { type Currency, formatAmount, parseAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import type { Message } from '#callbacks/callbacks.sql.ts';
import { type Adapters, adapterNamed, ChannelUnavailable, type PaymentReport } from '#channels/channel.ts';
import { findAdapterName } from '#channels/channels.sql.ts';
import { type Database, isPast, type MerchantTx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Home, Program, RequestInfo } from '#domain/caller.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { type CollectionMoves, invalidTransition } from './collections.moves.ts';
import { expirySeconds } from './collections.rules.ts';
import {
  type Collection,
  findCollection,
  insertCollection,
  insertEvent,
  listEvents,
  lockCollection,
  type NewCollection,
} from './collections.sql.ts';

/** Use cases of collections: create, find, cancel, and what a channel reports. */
export class CollectionService {
  readonly #database: Database;
  readonly #moves: CollectionMoves;
  readonly #adapters: Adapters;

  constructor(database: Database, moves: CollectionMoves, adapters: Adapters) {
    this.#database = database;
    this.#moves = moves;
    this.#adapters = adapters;
  }

  /**
   * Creates an order, or finds the same one again. `defaultNotifyUrl` is told of an order that names no address. Throws `out_trade_no_used`,
   * `channel_closed`, `merchant_suspended`, `validation_failed`.
   */
  async create(
    home: Home,
    order: CreateCollection,
    defaultNotifyUrl: string | null = null,
  ): Promise<Collection> {
    const hash = requestHash(order);
    const amountMinor = amountFor(order, home.currency);
    const notifyUrl = order.notifyUrl ?? defaultNotifyUrl;
    const row = { ...newCollection(order), notifyUrl, requestHash: hash, amountMinor };
    const created = await this.#database.asMerchant(
      home.merchantId,
      async (tx) => {
        tx.changed(home.merchantId, 'collections', 'dashboard');
        return insertCollection(tx, row);
      },
      { oneStatement: true },
    );
    if (created) return created;
    // A channel that has closed since does not change what was answered before.
    const earlier = await this.#find(home.merchantId, { outTradeNo: order.out_trade_no });
    if (!earlier) {
      await this.#database.asMerchant(home.merchantId, (tx) => assertMayBegin(tx, 'newCollection'));
      throw new Refusal('channel_closed');
    }
    if (!earlier.requestHash.equals(hash)) throw new Refusal('out_trade_no_used');
    return earlier;
  }

  /** Throws `not_found`, for another merchant's order just as for none. */
  async find(merchantId: bigint, by: { tradeNo: string } | { outTradeNo: string }): Promise<Collection> {
    const order = await this.#find(merchantId, by);
    if (!order) throw new Refusal('not_found');
    return order;
  }

  /** Cancels an order that nobody has paid; the channel is asked first where the payer has been sent to one. */
  async cancel(
    { home: { merchantId }, keyId }: Program,
    request: RequestInfo,
    tradeNo: string,
  ): Promise<Collection> {
    const order = await this.find(merchantId, { tradeNo });
    if (order.status === 'cancelled') return order;
    if (!canMove(collectionMoves, order.status, 'cancelled')) throw invalidTransition(order);
    const report = await this.#cancelAtChannel(order);
    if (report && report.status !== 'cancelled') {
      await this.report(report);
      throw invalidTransition(await this.find(merchantId, { tradeNo }));
    }
    return this.#database.asMerchant(merchantId, async (tx) => {
      const held = await lockCollection(tx, tradeNo);
      if (!held) throw new Refusal('not_found');
      if (held.status === 'cancelled') return held;
      await writeAudit(tx, {
        merchantId,
        actor: `key:${keyId}`,
        action: 'collection.cancel',
        subject: tradeNo,
        address: request.address,
        requestId: request.id,
        before: { status: held.status },
        after: { status: 'cancelled' },
      });
      return this.#moves.giveUp(tx, held, 'cancelled', { reason: 'cancelled_by_merchant' });
    });
  }

  /** Takes in what a channel says became of a payment, from its callback or its answer. Saying it twice changes nothing. */
  async report(report: PaymentReport): Promise<void> {
    const merchantId = await this.#database.asSystem(
      (tx) => findMerchantOf(tx, 'collection', report.reference),
      {
        oneStatement: true,
      },
    );
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockCollection(tx, report.reference);
      if (!order) throw new Refusal('not_found');
      if (report.status === 'paid') await this.#payReported(tx, order, report);
      else if (report.status === 'refused' && order.status === 'toBePaid') {
        await this.#moves.giveUp(tx, order, 'failed', { reason: 'channel_refused', refused: report.reason });
      }
    });
  }

  /** The merchant's server acknowledged one of our messages about an order. */
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

  /** Money is only booked where the channel has just the amount that was asked for. */
  async #payReported(tx: MerchantTx, order: Collection, report: PaymentReport): Promise<void> {
    if (report.amountMinor === order.amountMinor && report.currency === order.currency) {
      // Past its time the order is closed, even where nobody has come by to close it: then it is paid, late.
      const isOver = order.status === 'toBePaid' && (await isPast(tx, order.expiresAt));
      const held = isOver ? await this.#moves.giveUp(tx, order, 'closed', { reason: 'expired' }) : order;
      await this.#moves.pay(tx, held, report);
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
      const adapter = await this.#database.asMerchant(order.merchantId, (tx) => findAdapterName(tx, channel));
      if (adapter === undefined) return undefined;
      return await adapterNamed(this.#adapters, adapter).cancelCollection(order.tradeNo);
    } catch (error) {
      if (error instanceof ChannelUnavailable) throw new Refusal('channel_unavailable');
      throw error;
    }
  }
}

/** What is kept of a request besides amount and hash. */
function newCollection(
  order: CreateCollection,
): Omit<NewCollection, 'requestHash' | 'amountMinor' | 'notifyUrl'> {
  return {
    outTradeNo: order.out_trade_no,
    currency: order.currency,
    channel: order.channel ?? null,
    subject: order.subject ?? null,
    returnUrl: order.returnUrl ?? null,
    cashierToken: randomBytes(16).toString('base64url'),
    expirySeconds: expirySeconds(order),
  };
}

/** Minor units of an order's amount; throws where the currency is not the merchant's. */
function amountFor(order: CreateCollection, home: Currency): bigint {
  if (order.currency !== home)
    throw fieldRefusal('currency', 'validation.currencyNotHome', { currency: home });
  const amountMinor = parseAmount(order.amount, order.currency);
  if (amountMinor === undefined) throw fieldRefusal('amount', 'validation.amount');
  return amountMinor;
}
