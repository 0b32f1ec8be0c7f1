import { formatAmount, parseAmount } from '@hengfu/contract/money';
import type { ComparedTopup, TopupCase, topupReviewEndpoints } from '@hengfu/contract/staff/topup-reviews';
import type { StaffMember } from '#domain/caller.ts';
import type { Handlers } from '#http/bind.ts';
import { caseView } from '#http/staff-view.ts';
import type { ComparedTopup as Compared, TopupReview, TopupToReview } from '../topups.review.ts';
import { toRow } from '../topups.view.ts';
import type { DoneAlone, TopupCredits } from './topup-credits.ts';

/** Handles the calls of our staff about top-ups. Every decision replies with the case as it is then. */
export function topupReviewHandlers(
  review: TopupReview,
  credits: TopupCredits,
): Handlers<typeof topupReviewEndpoints> {
  const toCase = (topup: TopupToReview, member: StaffMember, alone: DoneAlone): TopupCase => {
    return {
      ...toRow(topup),
      ...caseView(topup, member),
      isImageKnown: topup.sameImage.length > 0,
      isTransactionKnown: topup.sameTransaction.length > 0,
      isCurrentWallet: topup.isCurrentWallet,
      needsSecond: credits.needsSecond(topup, alone),
    };
  };
  const caseOf = async (tradeNo: string, member: StaffMember) => {
    const { topup } = await review.compare(tradeNo);
    return { data: toCase(topup, member, await credits.doneAlone({ member })) };
  };
  return {
    queue: async ({ caller, query }) => {
      const alone = await credits.doneAlone({ member: caller });
      return { data: (await review.waiting(query.after)).map((topup) => toCase(topup, caller, alone)) };
    },
    get: async ({ caller, params }) => {
      const { topup, sameImage, sameTransaction, earlier } = await review.compare(params.trade_no);
      return {
        data: {
          ...toCase(topup, caller, await credits.doneAlone({ member: caller })),
          sameImage: sameImage.map(toCompared),
          sameTransaction: sameTransaction.map(toCompared),
          earlier: earlier.map(toCompared),
        },
      };
    },
    screenshot: async ({ params }) => {
      const { type, bytes } = (await review.show(params.trade_no)).image;
      return { data: { type, base64: bytes.toString('base64') } };
    },
    claim: async ({ caller: member, request, params }) => {
      await review.claim(params.trade_no, { member, request });
      return caseOf(params.trade_no, member);
    },
    release: async ({ caller: member, request, params }) => {
      await review.release(params.trade_no, { member, request });
      return caseOf(params.trade_no, member);
    },
    approve: async ({ caller: member, request, params, body }) => {
      const arrived = parseAmount(body.arrived, 'USDT') ?? 0n;
      await review.approve(params.trade_no, { member, request }, arrived);
      return caseOf(params.trade_no, member);
    },
    credit: async ({ caller: member, request, params }) => {
      await credits.credit(params.trade_no, { member, request });
      return caseOf(params.trade_no, member);
    },
    reject: async ({ caller: member, request, params, body }) => {
      await review.reject(params.trade_no, { member, request }, body.reason);
      return caseOf(params.trade_no, member);
    },
  };
}

function toCompared({ tradeNo, usdtMinor, createdAt, ...rest }: Compared): ComparedTopup {
  return {
    ...rest,
    trade_no: tradeNo,
    usdt: formatAmount(usdtMinor, 'USDT'),
    createdAt: createdAt.toISOString(),
  };
}
