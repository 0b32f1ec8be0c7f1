import { collectionMoves } from '@hengfu/contract/collections';
import type { CreateCollection } from '@hengfu/contract/collections.open';
import { type Currency, currencies, formatAmount, parseAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import type { Message } from '#callbacks/callbacks.sql.ts';
import { type Adapters, adapterNamed, ChannelUnavailable, type PaymentReport } from '#channels/channel.ts';
import { findServing } from '#channels/channels.sql.ts';
import { confirmEarlierCommits, type Database, isPast, type MerchantTx } from '#db/database.ts';
import { MerchantBatcher } from '#db/merchant-batcher.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { Home, MerchantActor, Program } from '#domain/caller.ts';
import { assertCollectionWithinLimit } from '#domain/limits.sql.ts';
import { claimAlone, type NonceRefusal, nonceKeysOf, settleNonce } from '#domain/nonce-claims.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { type CollectionMoves, invalidTransition } from './collections.moves.ts';
import { contradictionOf, expirySeconds } from './collections.rules.ts';
import {
  type Collection,
  findCollection,
  insertEvent,
  insertSignedCollections,
  listEvents,
  lockCollection,
  type NewCollection,
  newCashierToken,
} from './collections.sql.ts';

/** Gives a payment back that nobody may keep, in the transaction that has locked its order and booked it. */
type ReturnLate = (tx: MerchantTx, order: Collection) => Promise<void>;

/** A report that books nothing although our staff have to know of it: of a second payment, of one taken back, or of another amount. */
export interface UnbookedReport {
  tradeNo: string;
  reason: string;
  detail: string;
}

export interface CollectionServiceOptions {
  database: Database;
  moves: CollectionMoves;
  adapters: Adapters;
  returnLate: ReturnLate;
  /** Called once for each such report, however often the channel repeats it. */
  onUnbooked: (report: UnbookedReport) => void;
}

/** Use cases of collections: create, find, cancel, and process a channel's reports. */
export class CollectionService {
  readonly #database: Database;
  readonly #moves: CollectionMoves;
  readonly #adapters: Adapters;
  readonly #returnLate: ReturnLate;
  readonly #onUnbooked: (report: UnbookedReport) => void;
  /** Creates orders in micro-batches of all merchants. */
  readonly #creates: MerchantBatcher<NewCollection, Collection | NonceRefusal | undefined>;

  constructor({ database, moves, adapters, returnLate, onUnbooked }: CollectionServiceOptions) {
    this.#database = database;
    this.#moves = moves;
    this.#adapters = adapters;
    this.#returnLate = returnLate;
    this.#onUnbooked = onUnbooked;
    this.#creates = new MerchantBatcher({
      database,
      work: insertSignedCollections,
      conflictKeysOf: namesOf,
      // Creates of a merchant wait for each other only if they have number or nonce in common.
      lanesOf: namesOf,
      onCommitted: settleNonce,
      beforeAlone: claimAlone,
    });
  }

  /**
   * Creates an order, or returns the existing one for a repeated request. Callbacks of an order without a
   * `notifyUrl` go to the caller's `callbackUrl`. Throws `out_trade_no_used`, `channel_closed`, `limit_exceeded`, `merchant_suspended`,
   * `validation_failed`.
   */
  async create(
    home: Home,
    order: CreateCollection,
    { callbackUrl = null, openNonce: nonce }: Partial<Pick<Program, 'callbackUrl' | 'openNonce'>> = {},
  ): Promise<Collection> {
    const hash = requestHash(order);
    const amountMinor = amountFor(order, home.currency);
    const notifyUrl = order.notifyUrl ?? callbackUrl;
    const { merchantId } = home;
    const row = { ...newCollection(order), merchantId, notifyUrl, requestHash: hash, amountMinor, nonce };
    const created = await this.#creates.submit(row);
    if (typeof created === 'object') return created;
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
    const unbooked = await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockCollection(tx, report.reference);
      if (!order || (channel !== undefined && order.channel !== channel)) throw new Refusal('not_found');
      const contradiction = contradictionOf(order, report);
      if (contradiction === 'paid_again') return noteOnce(tx, order, contradiction, amountIn(report, order));
      if (contradiction) return noteOnce(tx, order, contradiction, `refused (${report.bankReference})`);
      if (report.status === 'paid') return this.#bookPayment(tx, order, report);
      if (report.status === 'refused' && order.status === 'toBePaid')
        await this.#moves.giveUp(tx, order, 'failed', { reason: 'channel_refused', refused: report.reason });
      return undefined;
    });
    if (unbooked) this.#onUnbooked(unbooked);
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

  /** Books a payment only if the channel reports exactly the amount of the order. Otherwise returns the report, when it comes first. */
  async #bookPayment(
    tx: MerchantTx,
    order: Collection,
    report: PaymentReport,
  ): Promise<UnbookedReport | undefined> {
    if (report.amountMinor !== order.amountMinor || report.currency !== order.currency)
      return noteOnce(tx, order, 'amount_mismatch', amountIn(report, order));
    // An expired order that the sweep has not closed yet is closed first: the payment counts as late.
    const isExpired = order.status === 'toBePaid' && (await isPast(tx, order.expiresAt));
    const held = isExpired ? await this.#moves.giveUp(tx, order, 'closed', { reason: 'expired' }) : order;
    const paid = await this.#moves.pay(tx, held, report);
    // All uses of its payment link were taken before the payment arrived.
    if (paid !== held && paid.holdsLinkUse === false) await this.#returnLate(tx, paid);
    return undefined;
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

/** Adds a report to the timeline of an order that the transaction has locked. Undefined if the timeline has it: a channel repeats it many times. */
async function noteOnce(
  tx: MerchantTx,
  order: Collection,
  reason: string,
  detail: string,
): Promise<UnbookedReport | undefined> {
  const isKnown = (await listEvents(tx, order)).some(
    (event) => event.reason === reason && event.detail === detail,
  );
  if (isKnown) return undefined;
  await insertEvent(tx, order, { reason, detail });
  tx.changed(tx.merchantId, 'collections');
  return { tradeNo: order.tradeNo, reason, detail };
}

/** Writes the amount of a report, and the channel's number for it, as the timeline shows them. */
function amountIn({ amountMinor, currency, bankReference }: PaymentReport, order: Collection): string {
  const known = currencies.find((each) => each === currency) ?? order.currency;
  return `${formatAmount(amountMinor, known)} ${currency} (${bankReference})`;
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

/** Names number and open nonce of a create. */
function namesOf(order: NewCollection): string[] {
  return [`${order.merchantId} ${order.outTradeNo}`, ...nonceKeysOf(order)];
}
