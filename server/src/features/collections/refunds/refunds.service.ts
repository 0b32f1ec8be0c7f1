import { formatAmount, parseAmount } from '@hengfu/contract/money';
import type { CreateRefund } from '@hengfu/contract/refunds';
import type { CreateOpenRefund } from '@hengfu/contract/refunds.open';
import type { Database, MerchantTx } from '#db/database.ts';
import { askApproval } from '#domain/approvals.sql.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Authorize, Person, Program, RequestInfo } from '#domain/caller.ts';
import { findReply, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { MerchantTurns } from '#domain/merchant-turns.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { holdSettling } from '#domain/settling.sql.ts';
import { assertActive, assertMayBegin } from '#domain/standing.sql.ts';
import { type Collection, findCollection, insertEvent, lockCollection } from '../collections.sql.ts';
import { fund, type RefundBooking } from './refunds.booking.ts';
import {
  type Asker,
  askerOf,
  assertLeft,
  assertPaid,
  earlierRefund,
  findBegun,
  findRefundable,
  holdRefunds,
  type WantedRefund,
} from './refunds.checks.ts';
import {
  changeRefund,
  findRefund,
  insertRefund,
  type NewRefund,
  type Refund,
  setLatestApproval,
} from './refunds.sql.ts';

/** Use cases of refunds: a person, a merchant's system and the service itself ask for them. */
export class CollectionRefunds {
  readonly #database: Database;
  readonly #booking: RefundBooking;
  readonly #authorize: Authorize;
  /** Refunds of a merchant take the same lock, one after the other. */
  readonly #turns = new MerchantTurns();

  constructor(database: Database, booking: RefundBooking, authorize: Authorize) {
    this.#database = database;
    this.#booking = booking;
    this.#authorize = authorize;
  }

  /**
   * Refunds a payment or a part of it on behalf of a person. A repeated call with the same idempotency key returns the first call's
   * refund. Throws `not_found`, `invalid_transition`, `refund_exceeds`, `insufficient_funds`, `validation_failed`, `too_many_attempts`,
   * `idempotency_…`, `merchant_suspended`, `unauthenticated`, `too_many_requests`. While it waits for its turn, `gone` ends it.
   */
  async apply(
    person: Person,
    request: RequestInfo,
    { tradeNo, body, gone }: { tradeNo: string; body: CreateRefund; gone?: AbortSignal },
  ): Promise<Refund> {
    const { home, userId, roles } = person;
    const { payment_password: password, code, ...fields } = body;
    const hash = requestHash({ ...fields, tradeNo });
    const key = idempotencyKeyOf(person, request, hash);
    const amountMinor = parseAmount(fields.amount, home.currency);
    if (!amountMinor) throw fieldRefusal('amount', 'validation.amount');
    const part = { amountMinor, outRefundNo: null, requestHash: hash, reason: fields.reason };
    const earlierOf = async (tx: MerchantTx): Promise<Refund | undefined> => {
      const reply = await findReply<{ refundNo: string }>(tx, key);
      return reply && findRefund(tx, reply);
    };
    // Checked before the person is authorized: a code works only once.
    const earlier = await this.#database.asMerchant(home.merchantId, async (tx) => {
      const found = await earlierOf(tx);
      if (!found) await assertLeft(tx, await findRefundable(tx, tradeNo), amountMinor);
      return found;
    });
    if (earlier) return earlier;
    await this.#authorize(person, { password, code });
    const work = async (tx: MerchantTx): Promise<Refund> => {
      const found = await earlierOf(tx);
      if (found) return found;
      await assertMayBegin(tx, 'newRefund', userId);
      const { address, userAgent, id: requestId } = request;
      const asker = { actor: `user:${userId}`, roles, address, userAgent, requestId };
      const refund = await this.#ask(tx, await holdRefunds(tx), asker, tradeNo, part);
      await keepReply(tx, key, { refundNo: refund.refund_no });
      return refund;
    };
    return this.#inTurn(home.merchantId, work, gone);
  }

  /**
   * Refunds a payment or a part of it for a merchant's system, or returns the refund that the same call made before. Throws `not_found`,
   * `out_trade_no_used`, `invalid_transition`, `refund_exceeds`, `insufficient_funds`, `validation_failed`, `merchant_suspended`,
   * `too_many_requests`. While it waits for its turn, `gone` ends it.
   */
  async create(
    program: Program,
    request: RequestInfo,
    { body, gone }: { body: CreateOpenRefund; gone?: AbortSignal },
  ): Promise<Refund> {
    const { home } = program;
    const { out_refund_no: outRefundNo, trade_no: tradeNo, amount, reason = null } = body;
    const hash = requestHash(body);
    const amountMinor = amount === undefined ? undefined : parseAmount(amount, home.currency);
    if (amount !== undefined && !amountMinor) throw fieldRefusal('amount', 'validation.amount');
    const part = { amountMinor, outRefundNo, requestHash: hash, reason };
    const work = async (tx: MerchantTx): Promise<Refund> => {
      const repeated = await earlierRefund(tx, part);
      if (repeated) return repeated;
      const isRuled = await holdRefunds(tx);
      // The merchant may have been suspended while the call waited. Its standing is not held: whoever changes it, or rules, would wait as well.
      await assertActive(tx, 'newRefund');
      return this.#ask(tx, isRuled, askerOf(program, request), tradeNo, part);
    };
    return this.#inTurn(home.merchantId, work, gone);
  }

  /**
   * Refunds all that is left of a payment for a merchant's system, as the call without a number of its own does. If nothing is left, because
   * refunds of all of it were made, are in progress or wait for approval, returns the order as it is. Throws `not_found`,
   * `invalid_transition`, `insufficient_funds`, `merchant_suspended`, `too_many_requests`. While it waits for its turn, `gone` ends it.
   */
  async requestWhole(
    program: Program,
    request: RequestInfo,
    { tradeNo, gone }: { tradeNo: string; gone?: AbortSignal },
  ): Promise<Collection> {
    const work = async (tx: MerchantTx): Promise<Collection> => {
      // Before anything is read: another process may be refunding the rest at this moment.
      const isRuled = await holdRefunds(tx);
      const begun = await findBegun(tx, tradeNo);
      if (begun) return begun;
      await assertActive(tx, 'newRefund');
      const part = {
        amountMinor: undefined,
        outRefundNo: null,
        requestHash: requestHash({ tradeNo }),
        reason: null,
      };
      await this.#ask(tx, isRuled, askerOf(program, request), tradeNo, part);
      const order = await findCollection(tx, { tradeNo });
      if (!order) throw new Refusal('not_found');
      return order;
    };
    return this.#inTurn(program.home.merchantId, work, gone);
  }

  /** Finds a refund. Throws `not_found`, also for another merchant's. */
  async find(merchantId: bigint, by: { refundNo: string } | { outRefundNo: string }): Promise<Refund> {
    const refund = await this.#database.asMerchant(merchantId, (tx) => findRefund(tx, by), {
      oneStatement: true,
    });
    if (!refund) throw new Refusal('not_found');
    return refund;
  }

  /**
   * Gives a payment back as a whole that nobody may keep, with its fee, in the transaction that has locked the order and booked the
   * payment: nothing else can use the money before. No rule of the merchant applies.
   */
  async returnLate(tx: MerchantTx, order: Collection): Promise<void> {
    const late: NewRefund = {
      amountMinor: order.amountMinor,
      outRefundNo: null,
      requestHash: requestHash({ late: order.tradeNo }),
      reason: null,
      requestedBy: 'service',
    };
    const refund = await insertRefund(tx, order, late);
    await this.#booking.begin(tx, order, refund, { feeMinor: order.feeMinor, availableMinor: 0n });
  }

  /** Records past refunds for demo data, in one transaction that a power cut may lose. Throws `not_found`. */
  async recordPast(
    merchantId: bigint,
    refunds: readonly { tradeNo: string; at: Date; amountMinor?: bigint }[],
  ): Promise<void> {
    await this.#database.asMerchant(
      merchantId,
      async (tx) => {
        for (const { tradeNo, at, amountMinor } of refunds) {
          const begun = await this.#postPast(tx, tradeNo, { amountMinor, at });
          const order = await lockCollection(tx, tradeNo);
          if (order) await this.#booking.succeed(tx, order, begun, at);
        }
      },
      { relaxed: true },
    );
  }

  /** Posts a refund for demo data, whose end the caller reports. Returns its number. Throws `not_found`. */
  beginPast(merchantId: bigint, tradeNo: string, amountMinor: bigint): Promise<string> {
    return this.#database.asMerchant(
      merchantId,
      async (tx) => (await this.#postPast(tx, tradeNo, { amountMinor })).refund_no,
    );
  }

  async #postPast(
    tx: MerchantTx,
    tradeNo: string,
    { amountMinor, at }: { amountMinor: bigint | undefined; at?: Date },
  ): Promise<Refund> {
    await holdSettling(tx);
    const order = await lockCollection(tx, tradeNo);
    if (!order) throw new Refusal('not_found');
    const past = {
      amountMinor: amountMinor ?? order.amountMinor - order.refundedMinor,
      outRefundNo: null,
      requestHash: requestHash({ tradeNo, at }),
      reason: null,
      requestedBy: 'service',
    };
    const refund = await insertRefund(tx, order, past, at);
    return this.#booking.post(tx, order, refund, await fund(tx, order, past.amountMinor), at);
  }

  #inTurn<T>(merchantId: bigint, work: (tx: MerchantTx) => Promise<T>, gone?: AbortSignal): Promise<T> {
    return this.#turns.run(merchantId, () => this.#database.asMerchant(merchantId, work), gone);
  }

  /** Makes a refund, or asks for its approval if one of the merchant's rules covers it. The transaction holds the merchant's refunds. */
  async #ask(
    tx: MerchantTx,
    isRuled: boolean,
    asker: Asker,
    tradeNo: string,
    part: WantedRefund,
  ): Promise<Refund> {
    const repeated = await earlierRefund(tx, part);
    if (repeated) return repeated;
    // Before the order is locked: a payment that is being booked locks it first.
    await findRefundable(tx, tradeNo);
    const order = await lockCollection(tx, tradeNo);
    if (!order) throw new Refusal('not_found');
    assertPaid(order);
    const amountMinor = await assertLeft(tx, order, part.amountMinor);
    const funding = await fund(tx, order, amountMinor);
    const { outRefundNo, requestHash: hash, reason } = part;
    const requestedBy = asker.actor;
    const asked = await insertRefund(tx, order, {
      amountMinor,
      outRefundNo,
      requestHash: hash,
      reason,
      requestedBy,
    });
    const waits =
      isRuled &&
      (await askApproval(tx, {
        kind: 'refund',
        tradeNo: asked.refund_no,
        amountMinor,
        currency: order.currency,
        account: null,
        target: order.outTradeNo,
        requester: requestedBy,
      }));
    const amount = formatAmount(amountMinor, order.currency);
    const audit = {
      merchantId: tx.merchantId,
      ...asker,
      action: 'collection.refund',
      subject: tradeNo,
    } as const;
    // A request leaves the order's status as it is.
    const before = { status: order.status };
    if (waits) {
      const waiting = await changeRefund(tx, asked, { approvalState: 'waiting' });
      const marked = await setLatestApproval(tx, order, asked, 'waiting');
      await insertEvent(tx, marked, { reason: 'refund_approval_asked' });
      await writeAudit(tx, {
        ...audit,
        before,
        after: { ...before, refundNo: asked.refund_no, amount, approvalState: 'waiting' },
      });
      tx.changed(tx.merchantId, 'collections');
      return waiting ?? asked;
    }
    // No rule covers this one. An earlier one may still wait.
    const marked =
      order.refundApprovalState === null ? order : await setLatestApproval(tx, order, asked, null);
    const begun = await this.#booking.begin(tx, marked, asked, funding);
    await writeAudit(tx, { ...audit, before, after: { ...before, refundNo: asked.refund_no, amount } });
    return begun;
  }
}
