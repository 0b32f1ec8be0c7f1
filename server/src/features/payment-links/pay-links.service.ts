import { createHash } from 'node:crypto';
import { parseAmount } from '@hengfu/contract/money';
import type { PayLinkOrder, PayOutcome } from '@hengfu/contract/pay-links';
import { confirmEarlierCommits, type Database, type MerchantTx } from '#db/database.ts';
import type { RequestInfo } from '#domain/caller.ts';
import type { Image } from '#domain/images.ts';
import { isAboveCollectionLimit } from '#domain/limits.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { isStopped } from '#domain/standing.sql.ts';
import { randomText } from '#security/random-text.ts';
import { FairQueue } from '#threads/fair-queue.ts';
import { linkVersion } from './link-version.ts';
import { countedOrder, payerOf } from './pay-link-limits.ts';
import { outcomeOf } from './pay-outcome.ts';
import { answersOf, holdsTooMany, paySecondsOf, payStateOf, priceOf } from './payment-links.rules.ts';
import {
  countLive,
  findLink,
  findLinkByToken,
  findPayersOrder,
  findPicture,
  insertAnswers,
  type OpenedLink,
  type PaymentLink,
} from './payment-links.sql.ts';

/** An order to create for a link's payer. */
export interface LinkOrder {
  outTradeNo: string;
  requestHash: Buffer;
  currency: PaymentLink['currency'];
  amountMinor: bigint;
  subject: string;
  returnUrl: string | null;
  expirySeconds: number;
  paymentLinkId: bigint;
  /** The secret part of its checkout link. */
  cashierToken: string;
}

interface CreatedOrder {
  id: bigint;
  cashierToken: string;
  requestHash: Buffer;
}

/** An attempt to make an order: its number, the hash of its contents, and the payer as orders are counted by. */
interface Attempt {
  outTradeNo: string;
  hash: Buffer;
  payer: Buffer;
  /** The version of the link that the payer saw. */
  version?: string | undefined;
}

/** A payer's order, with the version of the link that the payer saw. */
type SeenOrder = PayLinkOrder & { version?: string | undefined };

/** The feature of collections, as links need it. */
export interface LinkOrders {
  /** Creates an order in the caller's transaction, which has locked the link. Undefined if the number was used before. */
  create(tx: MerchantTx, order: LinkOrder): Promise<CreatedOrder | undefined>;
  find(tx: MerchantTx, outTradeNo: string): Promise<CreatedOrder | undefined>;
}

/** Orders that one web process makes at a time, and those that wait, of one merchant and in all. */
const turns = { concurrency: 4, waitingInLane: 500, waitingInAll: 2000 };

const busyRetrySeconds = 60;
const tokenBytes = 16;
const laneLength = 4;

/** The payer's side of payment links. */
export class PayLinks {
  readonly #database: Database;
  readonly #orders: LinkOrders;
  readonly #appUrl: () => string;
  /** Payers wait here, merchants in turn, instead of at the lock of their link, where each would occupy a connection. */
  readonly #turns = new FairQueue(turns);

  constructor(database: Database, orders: LinkOrders, appUrl: () => string) {
    this.#database = database;
    this.#orders = orders;
    this.#appUrl = appUrl;
  }

  /** Finds the link behind an address. Throws `not_found`. */
  async open(token: string): Promise<OpenedLink> {
    const link = await this.#database.asSystem((tx) => findLinkByToken(tx, token), { oneStatement: true });
    if (!link) throw new Refusal('not_found');
    return link;
  }

  /** Throws `not_found`, also for a link without a picture. */
  async picture(token: string): Promise<Image> {
    const { merchantId, id } = await this.open(token);
    const found = await this.#database.asMerchant(merchantId, (tx) => findPicture(tx, id));
    if (!found) throw new Refusal('not_found');
    return found;
  }

  /**
   * Makes an order, which holds one of the link's uses until it is given up, and returns the address of its checkout page. An attempt that
   * is sent twice makes one order. Throws `not_found`, `conflict` if the link has changed since the payer saw it, `validation_failed`, `link_closed`, `link_used_up`, `link_busy`,
   * `too_many_attempts`, and `idempotency_key_reused` for an attempt that is sent again with something else.
   */
  async order(token: string, { version, ...body }: SeenOrder, { address }: RequestInfo): Promise<string> {
    const link = await this.open(token);
    const { merchantId, linkNo } = link;
    const outTradeNo = numberOf(token, body.attempt);
    const hash = requestHash({ link: linkNo, ...body });
    const earlier = await this.#database.asMerchant(merchantId, (tx) => this.#earlier(tx, outTradeNo, hash));
    if (earlier) return this.#addressOf(earlier);
    // Refused before it is counted, and without waiting for the lock, if it is certain.
    assertOpen(link);
    const payer = payerOf(token, address);
    const { order } = await countedOrder(this.#database, link, address, () =>
      this.#orderOnce(link, body, { outTradeNo, hash, payer, version }),
    );
    return this.#addressOf(order);
  }

  #addressOf({ cashierToken }: CreatedOrder): string {
    return `${this.#appUrl()}/pay/${cashierToken}`;
  }

  async #orderOnce(
    { merchantId, id }: OpenedLink,
    body: PayLinkOrder,
    attempt: Attempt,
  ): Promise<{ order: CreatedOrder; isNew: boolean }> {
    const work = async (tx: MerchantTx) => {
      // Payers of one link pass here one after the other: the uses that they count are those that are left.
      const link = await heldLink(tx, id);
      const earlier = await this.#earlier(tx, attempt.outTradeNo, attempt.hash);
      if (earlier) return { order: earlier, isNew: false };
      assertOpen(link);
      if (attempt.version !== undefined && attempt.version !== linkVersion(link))
        throw new Refusal('conflict');
      if (holdsTooMany(link, await countLive(tx, link, attempt.payer))) throw linkBusy();
      return { order: await this.#create(tx, link, body, attempt), isNew: true };
    };
    const made = await this.#turns.run(String(merchantId), () => this.#database.asMerchant(merchantId, work));
    if (!made) throw linkBusy();
    return made;
  }

  async #earlier(tx: MerchantTx, outTradeNo: string, hash: Buffer): Promise<CreatedOrder | undefined> {
    const found = await this.#orders.find(tx, outTradeNo);
    if (!found) return undefined;
    if (!found.requestHash.equals(hash)) throw new Refusal('idempotency_key_reused');
    await confirmEarlierCommits(tx);
    return found;
  }

  /** Returns what became of a payer's order. Throws `not_found`, also if the order is not one of the link's. */
  async after(token: string, cashierToken: string): Promise<{ link: OpenedLink; outcome: PayOutcome }> {
    const link = await this.open(token);
    const order = await this.#database.asMerchant(link.merchantId, (tx) =>
      findPayersOrder(tx, link, cashierToken),
    );
    if (!order) throw new Refusal('not_found');
    return { link, outcome: outcomeOf(order) };
  }

  async #create(
    tx: MerchantTx,
    link: PaymentLink,
    body: PayLinkOrder,
    { outTradeNo, hash, payer }: Attempt,
  ): Promise<CreatedOrder> {
    // Payers need not know why.
    if (await isStopped(tx, 'newCollection')) throw new Refusal('link_closed');
    const { quantity } = body;
    const chosenMinor =
      body.amount === undefined ? undefined : (parseAmount(body.amount, link.currency) ?? 0n);
    const amountMinor = priceOf(link, { chosenMinor, quantity });
    if (typeof amountMinor === 'string')
      throw fieldRefusal(
        amountMinor,
        amountMinor === 'amount' ? 'validation.payAmount' : 'validation.quantity',
      );
    const answers = answersOf(link.asked, body);
    if (typeof answers === 'string') throw fieldRefusal(answers, 'validation.required');
    const cashierToken = randomText(tokenBytes, 'base64url');
    const order = await this.#orders.create(tx, {
      outTradeNo,
      requestHash: hash,
      currency: link.currency,
      amountMinor,
      subject: quantity > 1 ? `${link.title} × ${quantity}` : link.title,
      returnUrl: this.#returnUrlOf(link, cashierToken),
      expirySeconds: paySecondsOf(link),
      paymentLinkId: link.id,
      cashierToken,
    });
    if (!order) throw await this.#refusalOf(tx, link, amountMinor);
    await insertAnswers(tx, order.id, { quantity, answers, payer });
    tx.changed(tx.merchantId, 'collections');
    return order;
  }

  /** Returns why an order could not be made: its amount is above the merchant's limit, or the link is closed. */
  async #refusalOf(tx: MerchantTx, link: PaymentLink, amountMinor: bigint): Promise<Refusal> {
    if (!(await isAboveCollectionLimit(tx, amountMinor))) return new Refusal('link_closed');
    return fieldRefusal(link.amountMinor === null ? 'amount' : 'quantity', 'validation.payTooMuch');
  }

  /** The merchant's own address, unless there is a note: the link's page shows it, and what to do if the payment did not go through. */
  #returnUrlOf({ note, returnUrl, token }: PaymentLink, cashierToken: string): string {
    if (note === null && returnUrl !== null) return returnUrl;
    // Checkout links begin with the merchant's lane, as the link's own address does.
    return `${this.#appUrl()}/pay/link/${token}?order=${token.slice(0, laneLength)}${cashierToken}`;
  }
}

/** Throws `link_closed`, `link_used_up`, and `link_busy` while orders that are to be paid hold all uses. */
function assertOpen(link: PaymentLink): void {
  const state = payStateOf(link);
  if (state === 'usedUp') throw new Refusal('link_used_up');
  if (state === 'closed') throw new Refusal('link_closed');
  if (state === 'busy') throw linkBusy();
}

function linkBusy(): Refusal {
  return new Refusal('link_busy', {
    values: { count: busyRetrySeconds },
    retryAfterSeconds: busyRetrySeconds,
  });
}

async function heldLink(tx: MerchantTx, id: bigint): Promise<PaymentLink> {
  const link = await findLink(tx, { id }, { isHeld: true });
  if (!link) throw new Refusal('not_found');
  return link;
}

const numberLength = 24;

/** The order number of an attempt: the same for a repeated one, and no other payer can find it. */
function numberOf(token: string, attempt: string): string {
  const hash = createHash('sha256').update(`${token} ${attempt}`).digest('hex');
  return `L${hash.slice(0, numberLength).toUpperCase()}`;
}
