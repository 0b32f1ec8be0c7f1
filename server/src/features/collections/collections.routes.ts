import type { collectionEndpoints } from '@hengfu/contract/collections';
import type { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import type { Handlers } from '#http/bind.ts';
import { untilGone } from '#http/caller-gone.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { openListOf } from '#http/open-api/list-reply.ts';
import type { CollectionReading } from './collections.reading.ts';
import type { CollectionService } from './collections.service.ts';
import { toDetail, toOpenCollection, toRow } from './collections.view.ts';
import type { CollectionRefunds } from './refunds/refunds.service.ts';

/** Handlers of the console's collection endpoints. */
export function collectionHandlers(
  reading: CollectionReading,
  appUrl: () => string,
): Handlers<typeof collectionEndpoints> {
  return {
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await reading.list(home, query), home.currency, toRow),
    get: async ({ caller: { home }, params }) => ({
      data: toDetail(await reading.history(home.merchantId, params.trade_no), appUrl()),
    }),
  };
}

/** The services behind the Open API's collection endpoints. */
interface OpenCollectionServices {
  collections: CollectionService;
  collectionReading: CollectionReading;
  refunds: CollectionRefunds;
}

/** Handlers of the Open API's collection endpoints. */
export function openCollectionHandlers(
  { collections: service, collectionReading: reading, refunds }: OpenCollectionServices,
  appUrl: () => string,
): Handlers<typeof openCollectionEndpoints> {
  return {
    create: {
      claimsNonce: true,
      handle: async ({ caller, body }) =>
        toOpenCollection(await service.create(caller.home, body, caller), appUrl()),
    },
    find: async ({ caller, query }) =>
      toOpenCollection(
        await service.find(caller.home.merchantId, { outTradeNo: query.out_trade_no }),
        appUrl(),
      ),
    get: async ({ caller, params }) =>
      toOpenCollection(await service.find(caller.home.merchantId, { tradeNo: params.trade_no }), appUrl()),
    list: async ({ caller, query }) =>
      openListOf(await reading.openList(caller.home, query), (order) => toOpenCollection(order, appUrl())),
    cancel: async ({ caller, request, params }) =>
      toOpenCollection(await service.cancel(params.trade_no, { caller, request }), appUrl()),
    refund: async ({ caller, request, params: { trade_no: tradeNo }, http }) =>
      toOpenCollection(
        await untilGone(http.request.raw.socket, (gone) =>
          refunds.requestWhole(caller, request, { tradeNo, gone }),
        ),
        appUrl(),
      ),
  };
}
