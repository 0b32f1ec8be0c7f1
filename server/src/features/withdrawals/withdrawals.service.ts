import { formatAmount, parseAmount } from '@hengfu/contract/money';
import { walletKey } from '@hengfu/contract/wallets';
import type { ApplyWithdrawal, WithdrawalQuery } from '@hengfu/contract/withdrawals';
import { type Database, type MerchantTx, pipelined } from '#db/database.ts';
import type { RequestEnd } from '#domain/approvals.sql.ts';
import { askApproval, holdRules } from '#domain/approvals.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Authorize, Home, Person, RequestInfo } from '#domain/caller.ts';
import { findReply, type IdempotencyKey, idempotencyKeyOf, keepReply } from '#domain/idempotency.sql.ts';
import { assertWithdrawalWithinLimit } from '#domain/limits.sql.ts';
import type { Page } from '#domain/list.sql.ts';
import { newTradeNo } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { requestHash } from '#domain/request-hash.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { bookWithdrawal, giveBack } from './review/withdrawal-booking.ts';
import { type Sums, sumsOf, type Terms } from './withdrawals.rules.ts';
import {
  findWithdrawal,
  insertWithdrawal,
  listAddresses,
  moveWithdrawal,
  readTerms,
  serializeApplications,
  setApprovalState,
  type Withdrawal,
} from './withdrawals.sql.ts';
import { listWithdrawals } from './withdrawals-list.sql.ts';

const maxAddresses = 20;

/** Use cases of withdrawals for merchants: terms, application and reading. */
export class WithdrawalService {
  readonly #database: Database;
  readonly #authorize: Authorize;

  constructor(database: Database, authorize: Authorize) {
    this.#database = database;
    this.#authorize = authorize;
  }

  terms(home: Home): Promise<Terms | undefined> {
    return this.#database.asMerchant(home.merchantId, (tx) => readTerms(tx, home), { oneStatement: true });
  }

  addresses({ merchantId }: Home) {
    return this.#database.asMerchant(merchantId, (tx) => listAddresses(tx, maxAddresses), {
      oneStatement: true,
    });
  }

  list(home: Home, query: WithdrawalQuery): Promise<Page<Withdrawal>> {
    return this.#database.asMerchant(home.merchantId, (tx) => listWithdrawals(tx, home, query), {
      snapshot: true,
    });
  }

  /** Throws `not_found`, also for another merchant's withdrawal. */
  async find(merchantId: bigint, tradeNo: string): Promise<Withdrawal> {
    const order = await this.#database.asMerchant(merchantId, (tx) => findWithdrawal(tx, tradeNo));
    if (!order) throw new Refusal('not_found');
    return order;
  }

  /**
   * Applies for a withdrawal. A repeated call with the same idempotency key returns the first call's
   * withdrawal. Throws `withdrawals_closed`, `terms_changed`, `insufficient_funds`, `limit_exceeded`, `validation_failed`,
   * `too_many_attempts`, `idempotency_…`, `merchant_suspended`, `unauthenticated`.
   */
  async apply(person: Person, request: RequestInfo, body: ApplyWithdrawal): Promise<Withdrawal> {
    const { home, userId } = person;
    const { payment_password: password, code, total: _shown, ...application } = body;
    // Without the total: a repeated call may state another one, because the terms have changed since.
    const hash = requestHash(application);
    const idempotencyKey = idempotencyKeyOf(person, request, hash);
    const earlier = await this.#database.asMerchant(home.merchantId, async (tx) => {
      const found = await earlierOf(tx, idempotencyKey);
      if (!found) await figuresFor(tx, home, body);
      return found;
    });
    if (earlier) return earlier;
    await this.#authorize(person, { password, code });
    return this.#database.asMerchant(home.merchantId, async (tx) => {
      const found = await earlierOf(tx, idempotencyKey);
      if (found) return found;
      await assertMayBegin(tx, 'newWithdrawal', userId);
      const { sums, rate, usdRate } = await figuresFor(tx, home, body);
      const isRuled = await holdRules(tx, 'withdrawal');
      const tradeNo = await newTradeNo(tx, 'W');
      const createdBy = `user:${userId}`;
      const { currency, merchantId } = home;
      const { network, address } = body;
      const order = {
        tradeNo,
        requestHash: hash,
        ...sums,
        currency,
        rate,
        usdRate,
        network,
        address,
        createdBy,
      };
      const total = sums.amountMinor + sums.feeMinor;
      const [withdrawal] = await pipelined([
        insertWithdrawal(tx, order),
        bookWithdrawal(tx, order, 'withdrawal', [
          { account: 'available', amountMinor: -total },
          { account: 'locked', amountMinor: total },
        ]),
      ]);
      const waits =
        isRuled &&
        (await askApproval(tx, {
          kind: 'withdrawal',
          tradeNo,
          amountMinor: sums.amountMinor,
          currency,
          account: walletKey(network, address),
          target: `${network} · ${address}`,
          requester: createdBy,
        }));
      await auditPerson(tx, person, request, 'withdrawal.apply', {
        subject: tradeNo,
        after: { total: formatAmount(total, currency), currency, network, address },
      });
      await keepReply(tx, idempotencyKey, { tradeNo });
      tx.changed(merchantId, 'withdrawals', 'account');
      return waits ? setApprovalState(tx, withdrawal, 'waiting') : withdrawal;
    });
  }

  /** Rejects a withdrawal that its merchant did not approve. The transaction has locked it. */
  async rejectWaiting(tx: MerchantTx, order: Withdrawal, { reason }: RequestEnd): Promise<void> {
    if (!(await moveWithdrawal(tx, order, 'rejected', reason === null ? {} : { rejectReason: reason })))
      throw new Error(`withdrawal ${order.tradeNo} was moved while its request was locked`);
    await giveBack(tx, order);
    tx.changed(tx.merchantId, 'withdrawals', 'account');
  }
}

async function earlierOf(
  tx: MerchantTx,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<Withdrawal | undefined> {
  const reply = await findReply<{ tradeNo: string }>(tx, idempotencyKey);
  return reply && findWithdrawal(tx, reply.tradeNo);
}

/**
 * Calculates an application at the current terms. Throws `withdrawals_closed`, `terms_changed`, `limit_exceeded`,
 * `validation_failed` on `amount`.
 */
async function figuresFor(
  tx: MerchantTx,
  home: Home,
  order: ApplyWithdrawal,
): Promise<{ sums: Sums; rate: string; usdRate: string | null }> {
  const [, terms] = await pipelined([serializeApplications(tx), readTerms(tx, home)]);
  if (!terms) throw new Refusal('withdrawals_closed');
  const sums = sumsOf(order, home.currency, terms);
  if (!sums || sums.usdtMinor <= 0n) throw fieldRefusal('amount', 'validation.amount');
  // A total with too many decimals is not one that was shown.
  const isTotalShown =
    order.total === undefined || parseAmount(order.total, home.currency) === sums.amountMinor + sums.feeMinor;
  if (!isTotalShown) throw new Refusal('terms_changed');
  if (sums.usdtMinor < terms.minimumUsdtMinor) throw fieldRefusal('amount', 'validation.withdrawalMinimum');
  await assertWithdrawalWithinLimit(tx, { currency: home.currency, amountMinor: sums.amountMinor });
  return { sums, rate: terms.rateText, usdRate: terms.usdRate };
}
