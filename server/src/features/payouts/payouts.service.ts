import { currencies, formatAmount, parseAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import type { PayoutFields } from '@hengfu/contract/payout-fields';
import type { ApplyPayout } from '@hengfu/contract/payouts';
import { payoutMoves } from '@hengfu/contract/payouts';
import type { CreatePayout } from '@hengfu/contract/payouts.open';
import type { PayoutReport } from '#channels/channel.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { refuseRequestOf } from '#domain/approvals.sql.ts';
import { auditPerson, writeAudit } from '#domain/audit.sql.ts';
import type { Authorize, Person, Program, RequestInfo } from '#domain/caller.ts';
import { findReply, type IdempotencyKey, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { insertContradiction } from './cases/contradictions.sql.ts';
import type { Application } from './intake/payout-decisions.sql.ts';
import { assertTotal, checkTerms, Intake, payoutColumns, take } from './intake/payouts.intake.ts';
import { markAccepted, markPaid, reject } from './payouts.moves.ts';
import { findPayout, insertEvent, lockPayout, type Payout, setApprovalState } from './payouts.sql.ts';

/** A row of a batch that is to become a payout: its order, its creator, and its line in the batch. */
export interface BatchPayout
  extends Pick<
    Application,
    'currency' | 'outTradeNo' | 'createdBy' | 'confirmSimilar' | 'batchNo' | 'batchLine'
  > {
  order: PayoutFields;
}

const noBatch = { batchNo: null, batchLine: null };

/** Use cases of payouts: apply, create, reject, and record a channel's report. */
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
   * Applies for a payout on behalf of a person. A repeated call with the same idempotency key returns the
   * first call's payout. Throws `channel_closed`, `terms_changed`, `similar_payout`, `similar_payout_unknown`,
   * `insufficient_funds`, `validation_failed`, `too_many_attempts`, `idempotency_key_reused`,
   * `idempotency_in_flight`, `merchant_suspended`, `unauthenticated`.
   */
  async apply(person: Person, request: RequestInfo, body: ApplyPayout): Promise<Payout> {
    const { payment_password: password, code, confirmSimilar = false, total, ...fields } = body;
    // The total is not a part of the hash: a repeated call may state another one, because the terms have changed since. A text that is no amount
    // of the currency matches no total.
    const shownTotalMinor =
      total === undefined ? undefined : (parseAmount(total, person.home.currency) ?? -1n);
    const hash = requestHash(fields);
    const key = idempotencyKeyOf(person, request, hash);
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
    // Checked before the person is authorized: a code works only once.
    const earlier = await this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const found = await findEarlier(tx, key);
      if (!found) await checkTerms(tx, application, shownTotalMinor);
      return found;
    });
    if (earlier) return earlier;
    await this.#authorize(person, { password, code });
    return this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const found = await findEarlier(tx, key);
      if (found) return found;
      // Hashing the password takes time: the person or merchant may have been suspended meanwhile.
      await assertMayBegin(tx, 'newPayout', person.userId);
      const payout = await take(tx, application);
      assertTotal(payout, shownTotalMinor);
      await auditPerson(tx, person, request, 'payout.apply', {
        subject: payout.tradeNo,
        after: {
          amount: fields.amount,
          currency: payout.currency,
          channel: fields.channel,
          payee: fields.payee,
          payeeAccount: fields.payeeAccount,
        },
      });
      await keepReply(tx, key, { tradeNo: payout.tradeNo });
      return payout;
    });
  }

  /**
   * Creates a payout for a merchant's system, or returns the one that the same call made before. Throws
   * `out_trade_no_used`, `channel_closed`, `similar_payout`, `similar_payout_unknown`, `insufficient_funds`,
   * `validation_failed`.
   */
  async create(
    { home, keyId, callbackUrl, openNonce: nonce }: Program,
    call: Pick<RequestInfo, 'id' | 'address'>,
    body: CreatePayout,
  ): Promise<Payout> {
    const { confirmSimilar = false, ...order } = body;
    const { out_trade_no: outTradeNo, currency, notifyUrl, ...fields } = order;
    if (currency !== home.currency)
      throw fieldRefusal('currency', 'validation.currencyNotHome', { currency: home.currency });
    const hash = requestHash(order);
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
      nonce,
    };
    return this.#intake.take(application);
  }

  /**
   * Creates a payout from a row of a batch, in the transaction that records it on the row. Throws
   * `out_trade_no_used`, `channel_closed`, `similar_payout`, `similar_payout_unknown`, `insufficient_funds`,
   * `validation_failed`.
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
   * Rejects an unsent payout on behalf of an operator; the merchant sees the reason. Throws `not_found`,
   * and `invalid_transition` for one that may have reached its channel.
   */
  async rejectUnsent(tradeNo: string, actor: string, detail: string): Promise<void> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'payout', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      // A request is locked before its order.
      await refuseRequestOf(tx, 'payout', tradeNo, { by: actor, reason: detail });
      const order = await lockPayout(tx, tradeNo);
      if (order?.status !== 'pending')
        throw new Refusal('invalid_transition', { values: { status: `payouts.status.${order?.status}` } });
      // It may also wait with its batch, whose request does not end with one payout.
      const isWaiting = order.approvalState === 'waiting';
      const ended = isWaiting ? await setApprovalState(tx, order, 'refused') : order;
      await reject(tx, ended, { reason: 'staff_rejected', detail });
      const action = 'payout.reject';
      await writeAudit(tx, { merchantId, actor, action, subject: tradeNo, after: { reason: detail } });
    });
  }

  /**
   * Records the outcome that a channel reports, in a callback of it or a reply. A repeated report changes nothing. Throws `not_found`, also
   * for an order that another channel serves.
   */
  async report(report: PayoutReport, channel?: string): Promise<void> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'payout', report.reference), {
      oneStatement: true,
    });
    if (merchantId === undefined) throw new Refusal('not_found');
    await this.#database.asMerchant(merchantId, async (tx) => {
      const order = await lockPayout(tx, report.reference);
      if (!order || (channel !== undefined && order.channel !== channel)) throw new Refusal('not_found');
      await applyReport(tx, order, report);
    });
  }
}

/**
 * Finds the payout that was made under this idempotency key. Throws if the key belongs to another request, or
 * to one that is still in progress.
 */
async function findEarlier(tx: MerchantTx, key: IdempotencyKey | undefined): Promise<Payout | undefined> {
  const reply = await findReply<{ tradeNo: string }>(tx, key);
  return reply && findPayout(tx, reply);
}

/**
 * Applies a reported outcome. One that contradicts an earlier outcome, or a payment of another amount, moves nothing: our staff have to settle it.
 */
async function applyReport(tx: MerchantTx, order: Payout, report: PayoutReport): Promise<void> {
  const { status, bankReference, reason: refused } = report;
  if (status === 'pending') {
    // The channel has it, though its reply to the payout may have been lost.
    await markAccepted(tx, order);
    return;
  }
  const paidInstead = status === 'paid' ? otherAmount(order, report) : undefined;
  const to = status === 'paid' ? 'processed' : 'rejected';
  if (paidInstead !== undefined) {
    await contradict(tx, order, report, {
      reason: 'amount_mismatch',
      detail: `${paidInstead} (${bankReference})`,
    });
  } else if (order.status === to) {
    return;
  } else if (!canMove(payoutMoves, order.status, to)) {
    await contradict(tx, order, report, {
      reason: 'channel_contradicts',
      detail: `${status} (${bankReference})`,
    });
  } else if (to === 'processed') {
    await markPaid(tx, order, { bankReference });
  } else {
    await reject(tx, order, { reason: 'channel_refused', refused });
  }
}

/** Returns the amount of a report as text if it is not that of the payout. */
function otherAmount(
  order: Payout,
  { amountMinor = order.amountMinor, currency = order.currency }: PayoutReport,
): string | undefined {
  if (amountMinor === order.amountMinor && currency === order.currency) return undefined;
  const known = currencies.find((each) => each === currency) ?? order.currency;
  return `${formatAmount(amountMinor, known)} ${currency}`;
}

/** Keeps a report for our staff. A channel repeats it many times; the timeline has it once, too. */
async function contradict(
  tx: MerchantTx,
  order: Payout,
  { status, bankReference }: PayoutReport,
  event: { reason: string; detail: string },
): Promise<void> {
  const reported = status === 'paid' ? 'paid' : 'failed';
  if (!(await insertContradiction(tx, order, { source: 'channel', reported, bankReference }))) return;
  await insertEvent(tx, order, event);
  tx.changed(tx.merchantId, 'payouts');
}
