import { type CreateByHand, payTimes } from '@hengfu/contract/collections.by-hand';
import { formatAmount, parseAmount } from '@hengfu/contract/money';
import { sendAgain } from '#callbacks/callbacks.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { findReply, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { assertCollectionWithinLimit } from '#domain/limits.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { askNow } from '../collections.jobs.ts';
import type { CollectionService } from '../collections.service.ts';
import { type Collection, findCollection } from '../collections.sql.ts';
import { createOwnOrder } from './own-orders.ts';

/** Per merchant: generous for people, tight for a script behind a session. */
const createLimit = { limit: 300, windowSeconds: 600 };
const actionLimit = { limit: 200, windowSeconds: 600 };

/** Use cases of a merchant's people: create an order, cancel one, have its channel asked, send its callback again. */
export class CollectionsByHand {
  readonly #database: Database;
  readonly #service: CollectionService;

  constructor(database: Database, service: CollectionService) {
    this.#database = database;
    this.#service = service;
  }

  /**
   * Creates an order. A repeated call with the same idempotency key returns the first call's order. Throws `validation_failed`,
   * `out_trade_no_used`, `limit_exceeded`, `merchant_suspended`, `idempotency_key_reused`, `idempotency_in_flight`, `too_many_attempts`.
   */
  async create(person: Person, request: RequestInfo, body: CreateByHand): Promise<Collection> {
    const { merchantId, currency } = person.home;
    const amountMinor = parseAmount(body.amount, currency) ?? 0n;
    if (amountMinor <= 0n) throw fieldRefusal('amount', 'validation.amount');
    await countOrRefuse(this.#database, tries.ordersByHand(merchantId), createLimit);
    const hash = requestHash(body);
    const key = idempotencyKeyOf(person, request, hash);
    return this.#database.asMerchant(merchantId, async (tx) => {
      const earlier = await findReply<{ tradeNo: string }>(tx, key);
      const found = earlier && (await findCollection(tx, earlier));
      if (found) return found;
      await assertMayBegin(tx, 'newCollection', person.userId);
      const order = await createOwnOrder(tx, {
        outTradeNo: body.out_trade_no || undefined,
        requestHash: hash,
        currency,
        amountMinor,
        subject: body.subject || null,
        returnUrl: null,
        expirySeconds: payTimes[body.payTime],
      });
      if (!order) {
        await assertCollectionWithinLimit(tx, amountMinor);
        throw new Refusal('out_trade_no_used');
      }
      await auditPerson(tx, person, request, 'collection.create', {
        subject: order.tradeNo,
        after: { amount: formatAmount(amountMinor, currency), currency, outTradeNo: order.outTradeNo },
      });
      await keepReply(tx, key, { tradeNo: order.tradeNo });
      return order;
    });
  }

  /** Cancels an unpaid order. Throws `not_found`, `invalid_transition`, `channel_unavailable`, `too_many_attempts`. */
  async cancel(person: Person, request: RequestInfo, tradeNo: string): Promise<void> {
    await this.#countAction(person);
    await this.#service.cancel(tradeNo, { caller: person, request });
  }

  /** Has the channel asked at once if an order was paid. Throws `not_found`, `invalid_transition`, `too_many_attempts`. */
  async ask(person: Person, request: RequestInfo, tradeNo: string): Promise<void> {
    await this.#act(person, (tx) => askNow(tx, tradeNo, { caller: person, request }));
  }

  /** Sends a callback of an order again at once. Throws `not_found`, `too_many_attempts`. */
  async sendAgain(person: Person, request: RequestInfo, tradeNo: string, id: string): Promise<void> {
    await this.#act(person, async (tx) => {
      const order = await findCollection(tx, { tradeNo });
      const event = order && (await sendAgain(tx, { id, subjectNo: tradeNo }));
      if (event === undefined) throw new Refusal('not_found');
      const change = { subject: tradeNo, after: { event } };
      await auditPerson(tx, person, request, 'callback.send_again', change);
      tx.changed(tx.merchantId, 'collections');
    });
  }

  async #act(person: Person, action: (tx: MerchantTx) => Promise<void>): Promise<void> {
    await this.#countAction(person);
    await this.#database.asMerchant(person.home.merchantId, action);
  }

  #countAction({ home: { merchantId } }: Person): Promise<void> {
    return countOrRefuse(this.#database, tries.actionsByHand(merchantId), actionLimit);
  }
}
