import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import { topupMoves } from '@hengfu/contract/topups';
import type { MerchantTx } from '#db/database.ts';
import type { NamedActor, ServiceActor } from '#domain/caller.ts';
import type { DoneAlone } from '#domain/done-alone.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { creditAsAgreed, type TopupReview, type TopupToReview } from '../topups.review.ts';

export type { DoneAlone };

/** The change of a request for a credit. The amount is the one that both people read, in minor units of the merchant's currency. */
interface Credit {
  tradeNo: string;
  amountMinor: string;
}

/** Credits top-ups: alone below an amount, from there on with a second person. */
export class TopupCredits {
  readonly #review: TopupReview;
  readonly #requests: StaffRequests;
  readonly #fromUsdtMinor: bigint;

  /** `fromUsdtMinor`: the amount from which on a second person has to agree. */
  constructor(review: TopupReview, requests: StaffRequests, fromUsdtMinor: bigint) {
    this.#review = review;
    this.#requests = requests;
    this.#fromUsdtMinor = fromUsdtMinor;
  }

  /** Adds up what somebody has credited alone, for {@link needsSecond}. */
  doneAlone(by: NamedActor): Promise<DoneAlone> {
    return this.#review.doneAlone(by);
  }

  /** Whether a second person has to agree to a credit by somebody who has credited this much to the merchants alone lately. */
  needsSecond(
    {
      merchantId,
      arrivedUsdtMinor,
      usdtMinor,
    }: Pick<TopupToReview, 'merchantId' | 'arrivedUsdtMinor' | 'usdtMinor'>,
    alone: DoneAlone,
  ): boolean {
    return (alone.get(merchantId) ?? 0n) + (arrivedUsdtMinor ?? usdtMinor) >= this.#fromUsdtMinor;
  }

  /**
   * Credits an approved top-up to available funds, or asks a second person to. Returns the request's ID, if one was made. Throws
   * `not_found`, `invalid_transition`, `case_taken`, `request_waiting`, and `approval_changed` if the amount, or what the
   * person has credited alone, has changed meanwhile.
   */
  async credit(
    tradeNo: string,
    by: ServiceActor,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    const { topup } = await this.#review.compare(tradeNo);
    if (!this.needsSecond(topup, await this.doneAlone(by))) {
      await this.#review.credit(tradeNo, by, this.#fromUsdtMinor);
      return undefined;
    }
    const { status, amountMinor, currency, usdtMinor, arrivedUsdtMinor, network, transactionId } = topup;
    if (!canMove(topupMoves, status, 'paid'))
      throw new Refusal('invalid_transition', { values: { status: `topups.status.${status}` } });
    if (typeof by !== 'string') await this.#review.claim(tradeNo, by);
    const change: Credit = { tradeNo, amountMinor: String(amountMinor) };
    return this.#requests.ask(
      {
        kind: 'topupCredit',
        merchantId: topup.merchantId,
        subject: tradeNo,
        change,
        facts: [
          {
            name: 'arrived',
            before: formatAmount(usdtMinor, 'USDT'),
            after: formatAmount(arrivedUsdtMinor ?? usdtMinor, 'USDT'),
          },
          { name: 'amount', before: null, after: `${formatAmount(amountMinor, currency)} ${currency}` },
          { name: 'network', before: null, after: network },
          { name: 'transaction', before: null, after: transactionId },
        ],
        reason: '',
      },
      by,
      options,
    );
  }
}

/** Credits a top-up once the second person agrees. */
export const topupCreditEffects: StaffEffects = {
  async perform(tx, { change }, by) {
    const { tradeNo, amountMinor } = change as Credit;
    await creditAsAgreed(tx as MerchantTx, tradeNo, by, BigInt(amountMinor));
  },
};
