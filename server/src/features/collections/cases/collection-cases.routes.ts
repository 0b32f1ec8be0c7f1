import type { collectionCaseEndpoints } from '@hengfu/contract/staff/orders';
import { toCallbacks } from '#callbacks/callback-history.ts';
import type { Handlers } from '#http/bind.ts';
import { toPostings } from '#ledger/postings.ts';
import { toFacts } from '../collections.view.ts';
import { toDetail } from '../refunds/refunds.view.ts';
import type { CollectionCases } from './collection-cases.service.ts';

/** Handles the calls of our staff about one collection. */
export function collectionCaseHandlers(cases: CollectionCases): Handlers<typeof collectionCaseEndpoints> {
  return {
    get: async ({ params }) => {
      const { merchant, canAsk, callbacks, postings, refunds, ...history } = await cases.get(params.trade_no);
      return {
        data: {
          ...toFacts(history),
          merchant,
          canAsk,
          callbacks: toCallbacks(callbacks),
          postings: toPostings(postings, history.order.currency),
          refunds: refunds.map(toDetail),
        },
      };
    },
    ask: async ({ caller: member, request, params }) => {
      await cases.ask(params.trade_no, { member, request });
    },
  };
}
