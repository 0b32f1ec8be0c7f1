import { formatAmount } from '@hengfu/contract/money';
import type {
  ComparedWithdrawal,
  WithdrawalCase,
  withdrawalReviewEndpoints,
} from '@hengfu/contract/staff/withdrawal-reviews';
import type { StaffMember } from '#domain/caller.ts';
import type { Handlers } from '#http/bind.ts';
import { caseView } from '#http/staff-view.ts';
import type {
  ComparedWithdrawal as Compared,
  WithdrawalReview,
  WithdrawalToReview,
} from '../withdrawals.review.ts';
import { toRow } from '../withdrawals.view.ts';
import type { DoneAlone, WithdrawalPayments } from './withdrawal-payments.ts';

/** Handles the calls of our staff about withdrawals. Every decision replies with the case as it is then. */
export function withdrawalReviewHandlers(
  review: WithdrawalReview,
  payments: WithdrawalPayments,
): Handlers<typeof withdrawalReviewEndpoints> {
  const toCase = (order: WithdrawalToReview, member: StaffMember, alone: DoneAlone): WithdrawalCase => {
    return {
      ...toRow(order),
      ...caseView(order, member),
      isWalletKnown: order.isWalletKnown,
      isWalletShared: order.isWalletShared,
      isDepositWallet: order.isDepositWallet,
      needsSecond: payments.needsSecond(order, alone),
    };
  };
  const caseOf = async (tradeNo: string, member: StaffMember) => ({
    data: toCase(await review.find(tradeNo), member, await payments.doneAlone({ member })),
  });
  return {
    queue: async ({ caller, query }) => {
      const alone = await payments.doneAlone({ member: caller });
      return { data: (await review.waiting(query.after)).map((order) => toCase(order, caller, alone)) };
    },
    get: async ({ caller, params }) => {
      const { order, toWallet, earlier, day } = await review.compare(params.trade_no);
      return {
        data: {
          ...toCase(order, caller, await payments.doneAlone({ member: caller })),
          toWallet: toWallet.map(toCompared),
          earlier: earlier.map(toCompared),
          day: { count: day.count, usdt: formatAmount(day.usdtMinor, 'USDT') },
        },
      };
    },
    claim: async ({ caller: member, request, params }) => {
      await review.claim(params.trade_no, { member, request });
      return caseOf(params.trade_no, member);
    },
    release: async ({ caller: member, request, params }) => {
      await review.release(params.trade_no, { member, request });
      return caseOf(params.trade_no, member);
    },
    approve: async ({ caller: member, request, params }) => {
      await review.approve(params.trade_no, { member, request });
      return caseOf(params.trade_no, member);
    },
    pay: async ({ caller: member, request, params, body }) => {
      await payments.pay(params.trade_no, { member, request }, body.transactionId);
      return caseOf(params.trade_no, member);
    },
    reject: async ({ caller: member, request, params, body }) => {
      await review.reject(params.trade_no, { member, request }, body.reason);
      return caseOf(params.trade_no, member);
    },
  };
}

function toCompared({ tradeNo, usdtMinor, createdAt, ...rest }: Compared): ComparedWithdrawal {
  return {
    ...rest,
    trade_no: tradeNo,
    usdt: formatAmount(usdtMinor, 'USDT'),
    createdAt: createdAt.toISOString(),
  };
}
