import type { collectionByHandEndpoints } from '@hengfu/contract/collections.by-hand';
import type { Handlers } from '#http/bind.ts';
import { toOpenCollection } from '../collections.view.ts';
import type { CollectionsByHand } from './collections-by-hand.service.ts';

/** Handlers of what people do by hand on orders. */
export function collectionByHandHandlers(
  byHand: CollectionsByHand,
  appUrl: () => string,
): Handlers<typeof collectionByHandEndpoints> {
  return {
    create: async ({ caller, request, body }) => ({
      data: toOpenCollection(await byHand.create(caller, request, body), appUrl()),
    }),
    cancel: async ({ caller, request, params }) => {
      await byHand.cancel(caller, request, params.trade_no);
      return undefined;
    },
    ask: async ({ caller, request, params }) => {
      await byHand.ask(caller, request, params.trade_no);
      return undefined;
    },
    sendAgain: async ({ caller, request, params }) => {
      await byHand.sendAgain(caller, request, params.trade_no, params.id);
      return undefined;
    },
  };
}
