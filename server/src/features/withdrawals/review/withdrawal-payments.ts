import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import { withdrawalMoves } from '@hengfu/contract/withdrawals';
import type { MerchantTx } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { assertTransaction, payAsAgreed, type WithdrawalReview } from '../withdrawals.review.ts';

/** The change of a request for a payment. */
interface Payment {
  tradeNo: string;
  transactionId: string;
}

/** Pays withdrawals: alone below an amount, from there on with a second person. */
export class WithdrawalPayments {
  readonly #review: WithdrawalReview;
  readonly #requests: StaffRequests;
  readonly #fromUsdtMinor: bigint;

  /** `fromUsdtMinor`: the amount from which on a second person has to agree. */
  constructor(review: WithdrawalReview, requests: StaffRequests, fromUsdtMinor: bigint) {
    this.#review = review;
    this.#requests = requests;
    this.#fromUsdtMinor = fromUsdtMinor;
  }

  /** Whether a second person has to agree to a payment. */
  needsSecond({ usdtMinor }: { usdtMinor: bigint }): boolean {
    return usdtMinor >= this.#fromUsdtMinor;
  }

  /**
   * Marks a withdrawal as paid by a transaction, or asks a second person to. Returns the request's ID, if one was made. Throws `not_found`,
   * `validation_failed`, `invalid_transition`, `case_taken`, and `conflict` for a transaction that paid another one, or while a
   * request waits.
   */
  async pay(
    tradeNo: string,
    by: ServiceActor,
    transactionId: string,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    const order = await this.#review.find(tradeNo);
    if (!this.needsSecond(order)) {
      await this.#review.pay(tradeNo, by, transactionId);
      return undefined;
    }
    const hash = assertTransaction(order, transactionId);
    if (!canMove(withdrawalMoves, order.status, 'paid'))
      throw new Refusal('invalid_transition', { values: { status: `withdrawals.status.${order.status}` } });
    if (typeof by !== 'string') await this.#review.claim(tradeNo, by);
    const change: Payment = { tradeNo, transactionId: hash };
    const fact = (name: 'usdt' | 'network' | 'address' | 'transaction', after: string) => ({
      name,
      before: null,
      after,
    });
    return this.#requests.ask(
      {
        kind: 'withdrawalPayment',
        merchantId: order.merchantId,
        subject: tradeNo,
        change,
        facts: [
          fact('usdt', formatAmount(order.usdtMinor, 'USDT')),
          fact('network', order.network),
          fact('address', order.address),
          fact('transaction', hash),
        ],
        reason: '',
      },
      by,
      options,
    );
  }
}

/** Pays a withdrawal once the second person agrees. */
export const withdrawalPaymentEffects: StaffEffects = {
  async perform(tx, { change }, by) {
    const { tradeNo, transactionId } = change as Payment;
    await payAsAgreed(tx as MerchantTx, tradeNo, by, transactionId);
  },
};
