import type { payoutCaseEndpoints } from '@hengfu/contract/staff/orders';
import { toCallbacks } from '#callbacks/callback-history.ts';
import type { Handlers } from '#http/bind.ts';
import { toPostings } from '#ledger/postings.ts';
import { toFacts } from '../payouts.view.ts';
import type { Contradictions } from './contradictions.ts';
import type { PayoutCases } from './payout-cases.service.ts';
import { isUnknown } from './payout-outcomes.rules.ts';
import type { PayoutOutcomes } from './payout-outcomes.ts';
import { type PayoutTakeUp, stepOf } from './payout-take-up.ts';

/** Handles the calls of our staff about one payout. */
export function payoutCaseHandlers(
  cases: PayoutCases,
  takeUp: PayoutTakeUp,
  outcomes: PayoutOutcomes,
  settled: Contradictions,
): Handlers<typeof payoutCaseEndpoints> {
  return {
    get: async ({ params }) => {
      const { merchant, callbacks, postings, requestId, contradictions, ...history } = await cases.get(
        params.trade_no,
      );
      const { order } = history;
      return {
        data: {
          ...toFacts(history),
          merchant,
          sentAt: order.sentAt?.toISOString() ?? null,
          step: stepOf(order) ?? null,
          isUnknown: isUnknown(order),
          requestId,
          contradictions: contradictions.map(({ at, ...each }) => ({ ...each, at: at.toISOString() })),
          callbacks: toCallbacks(callbacks),
          postings: toPostings(postings, order.currency),
        },
      };
    },
    takeUp: async ({ caller: member, request, params }) => ({
      data: { step: await takeUp.takeUp(params.trade_no, { member, request }) },
    }),
    askOutcome: async ({ caller: member, request, params, body }) => ({
      data: { requestId: String(await outcomes.ask(params.trade_no, body, { member, request })) },
    }),
    settle: async ({ caller: member, request, params, body }) => {
      await settled.settle(params.trade_no, body, { member, request });
    },
  };
}
