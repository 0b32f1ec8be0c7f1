import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import { withdrawalMoves } from '@hengfu/contract/withdrawals';
import type { MerchantTx } from '#db/database.ts';
import type { NamedActor, ServiceActor } from '#domain/caller.ts';
import type { DoneAlone } from '#domain/done-alone.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import {
  assertPayable,
  assertTransaction,
  payAsAgreed,
  type WithdrawalReview,
  type WithdrawalToReview,
} from '../withdrawals.review.ts';

export type { DoneAlone };

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

  /** Adds up what somebody has paid alone, for {@link needsSecond}. */
  doneAlone(by: NamedActor): Promise<DoneAlone> {
    return this.#review.doneAlone(by);
  }

  /** Whether a second person has to agree to a payment by somebody who has paid this much to the merchants alone lately. */
  needsSecond(
    { merchantId, usdtMinor }: Pick<WithdrawalToReview, 'merchantId' | 'usdtMinor'>,
    alone: DoneAlone,
  ): boolean {
    return (alone.get(merchantId) ?? 0n) + usdtMinor >= this.#fromUsdtMinor;
  }

  /**
   * Marks a withdrawal as paid by a transaction, or asks a second person to. Returns the request's ID, if one was made. Throws `not_found`,
   * `validation_failed`, `invalid_transition`, `case_taken`, `conflict` for a transaction that paid another one,
   * `request_waiting`, and `approval_changed` if what the person has paid alone has changed meanwhile.
   */
  async pay(
    tradeNo: string,
    by: ServiceActor,
    transactionId: string,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    const order = await this.#review.find(tradeNo);
    if (!this.needsSecond(order, await this.doneAlone(by))) {
      await this.#review.pay(tradeNo, by, transactionId, this.#fromUsdtMinor);
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
  onAsked: (tx, { subject: tradeNo }) => assertPayable(tx, tradeNo),

  async perform(tx, { change }, by) {
    const { tradeNo, transactionId } = change as Payment;
    await payAsAgreed(tx as MerchantTx, tradeNo, by, transactionId);
  },
};
