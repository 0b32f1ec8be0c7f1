import { canMove } from '@hengfu/contract/moves';
import type { PayoutFields } from '@hengfu/contract/payout-fields';
import type { ApplyPayout } from '@hengfu/contract/payouts';
import { payoutMoves } from '@hengfu/contract/payouts';
import type { CreatePayout } from '@hengfu/contract/payouts.open';
import type { PayoutReport } from '#channels/channel.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Authorize, Person, Program, RequestInfo } from '#domain/caller.ts';
import { findReply, type IdempotencyKey, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { checkTerms, Intake, payoutColumns, take } from './payouts.intake.ts';
import { paid, reject } from './payouts.moves.ts';
import { type Application, findPayout, insertEvent, lockPayout, type Payout } from './payouts.sql.ts';

/** A row of a batch as a payout: what was asked for, by whom, and its place. */
export interface BatchPayout
  extends Pick<
    Application,
    'currency' | 'outTradeNo' | 'createdBy' | 'confirmSimilar' | 'batchNo' | 'batchLine'
  > {
  order: PayoutFields;
}

const noBatch = { batchNo: null, batchLine: null };

/** Use cases of payouts: apply, create, and what a channel reports. */
export class PayoutService {
  readonly #database: Database;
  readonly #authorize: Authorize;
  readonly #intake: Intake;

  constructor(database: Database, authorize: Authorize) {
    this.#database = database;
    this.#authorize = authorize;
    this.#intake = new Intake(database);
  }

  /**
   * A person applies for a payout. The same call again, under the same key, answers the first one's payout. Throws
   * `channel_closed`, `similar_payout`, `similar_payout_unknown`, `insufficient_funds`, `validation_failed`,
   * `too_many_attempts`, `idempotency_key_reused`, `idempotency_in_flight`, `merchant_suspended`, `unauthenticated`.
   */
  async apply(person: Person, request: RequestInfo, body: ApplyPayout): Promise<Payout> {
    const { payment_password: password, code, confirmSimilar = false, ...fields } = body;
    const hash = requestHash(fields);
    const once = idempotencyKeyOf(person, request, hash);
    const actor = `user:${person.userId}`;
    const application: Application = {
      ...payoutColumns(person.home, fields),
      outTradeNo: null,
      requestHash: hash,
      notifyUrl: null,
      source: 'console',
      createdBy: actor,
      ...noBatch,
      confirmSimilar,
    };
    // Looked at before anything is asked of the person: a code is worth only one try.
    const earlier = await this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const found = await earlierOf(tx, once);
      if (!found) await checkTerms(tx, application);
      return found;
    });
    if (earlier) return earlier;
    await this.#authorize(person, { password, code });
    return this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const found = await earlierOf(tx, once);
      if (found) return found;
      // The password took its time: whoever was suspended meanwhile begins nothing.
      await assertMayBegin(tx, 'newPayout', person.userId);
      const payout = await take(tx, application);
      const { address, id: requestId } = request;
      const { merchantId, tradeNo } = payout;
      await writeAudit(tx, {
        merchantId,
        actor,
        action: 'payout.apply',
        subject: tradeNo,
        address,
        requestId,
        after: {
          amount: fields.amount,
          currency: payout.currency,
          channel: fields.channel,
          payee: fields.payee,
          payeeAccount: fields.payeeAccount,
        },
      });
      await keepReply(tx, once, { tradeNo });
      return payout;
    });
  }

  /**
   * A program creates a payout, or finds the same one again. Throws `out_trade_no_used`, `channel_closed`,
   * `similar_payout`, `similar_payout_unknown`, `insufficient_funds`, `validation_failed`.
   */
  async create(
    { home, keyId, callbackUrl }: Program,
    call: Pick<RequestInfo, 'id' | 'address'>,
    body: CreatePayout,
  ): Promise<Payout> {
    const { confirmSimilar = false, ...asked } = body;
    const { out_trade_no: outTradeNo, currency, notifyUrl, ...fields } = asked;
    if (currency !== home.currency)
      throw fieldRefusal('currency', 'validation.currencyNotHome', { currency: home.currency });
    const hash = requestHash(asked);
    const application: Application = {
      ...payoutColumns(home, fields),
      outTradeNo,
      requestHash: hash,
      source: 'openApi',
      createdBy: `key:${keyId}`,
      ...noBatch,
      confirmSimilar,
      notifyUrl: notifyUrl ?? callbackUrl,
      call,
    };
    return this.#intake.take(application);
  }

  /**
   * A row of a batch becomes a payout, in the transaction that notes it at the row. Throws `out_trade_no_used`,
   * `channel_closed`, `similar_payout`, `similar_payout_unknown`, `insufficient_funds`, `validation_failed`.
   */
  async takeRow(tx: MerchantTx, { currency, order, ...row }: BatchPayout): Promise<Payout> {
    const application: Application = {
      ...payoutColumns({ merchantId: tx.merchantId, currency }, order),
      ...row,
      requestHash: requestHash({ ...order, batch: [row.batchNo, row.batchLine] }),
      notifyUrl: null,
      source: 'console',
    };
    return take(tx, application);
  }

  /**
   * The staff gives back a payout that was never sent; its merchant reads the reason. Throws `not_found`, and
   * `invalid_transition` for one that may have reached its channel.
   */
  async rejectUnsent(tradeNo: string, actor: string, detail: string): Promise<void> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockPayout(tx, tradeNo);
      if (order?.status !== 'pending')
        throw new Refusal('invalid_transition', { values: { status: `payouts.status.${order?.status}` } });
      await reject(tx, order, { reason: 'staff_rejected', detail });
      const action = 'payout.reject';
      await writeAudit(tx, { merchantId, actor, action, subject: tradeNo, after: { reason: detail } });
    });
  }

  /** Takes in what a channel says became of a payout, from its callback or its answer. Saying it twice changes nothing. */
  async report(report: PayoutReport): Promise<void> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'payout', report.reference), {
      oneStatement: true,
    });
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockPayout(tx, report.reference);
      if (!order) throw new Refusal('not_found');
      await end(tx, order, report);
    });
  }
}

/** The reply that was given under this key before; throws where it was to another request, or is just being made. */
async function earlierOf(tx: MerchantTx, once: IdempotencyKey | undefined): Promise<Payout | undefined> {
  const reply = await findReply<{ tradeNo: string }>(tx, once);
  return reply && findPayout(tx, reply);
}

/** An end that the channel tells of; one that contradicts an earlier end is noted, and changes nothing. */
async function end(tx: MerchantTx, order: Payout, report: PayoutReport): Promise<void> {
  if (report.status === 'pending') return;
  const { bankReference, reason: refused } = report;
  const to = report.status === 'paid' ? 'processed' : 'rejected';
  if (order.status === to) return;
  if (!canMove(payoutMoves, order.status, to)) {
    await insertEvent(tx, order, {
      reason: 'channel_contradicts',
      detail: `${report.status} (${bankReference})`,
    });
    tx.changed(tx.merchantId, 'payouts');
  } else if (to === 'processed') {
    await paid(tx, order, { bankReference });
  } else {
    await reject(tx, order, { reason: 'channel_refused', refused });
  }
}
