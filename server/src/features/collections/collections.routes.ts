import type { CollectionDetail, collectionEndpoints } from '@hengfu/contract/collections';
import type { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { listAttempts } from '#callbacks/callbacks.sql.ts';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { Refusal } from '#refusal.ts';
import type { CollectionRefunds } from './collections.refunds.ts';
import type { CollectionService } from './collections.service.ts';
import { findCollection, listEvents } from './collections.sql.ts';
import { cashierUrlOf, toOpenCollection, toRow } from './collections.view.ts';
import { listCollections } from './collections-list.sql.ts';

/** The console's calls about collections. */
export function collectionHandlers(
  database: Database,
  appUrl: () => string,
): Handlers<typeof collectionEndpoints> {
  return {
    list: ({ caller, query }) =>
      database.asMerchant(caller.home.merchantId, async (tx) =>
        listReplyOf(await listCollections(tx, caller.home, query), caller.home.currency, toRow),
      ),

    get: ({ caller, params }) =>
      database.asMerchant(caller.home.merchantId, async (tx) => {
        const order = await findCollection(tx, { tradeNo: params.trade_no });
        if (!order) throw new Refusal('not_found');
        const [events, attempts] = [await listEvents(tx, order), await listAttempts(tx, order.tradeNo)];
        const detail: CollectionDetail = {
          ...toRow(order),
          cashierUrl: cashierUrlOf(appUrl(), order),
          notifyUrl: order.notifyUrl,
          bankReference: order.bankReference,
          refundRequestedAt: order.refundedAt ? null : (order.refundRequestedAt?.toISOString() ?? null),
          timeline: events.map((event) => ({ ...event, at: event.at.toISOString() })),
          callbacks: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
        };
        return { data: detail };
      }),
  };
}

/** The Open API's calls about collections. */
export function openCollectionHandlers(
  service: CollectionService,
  refunds: CollectionRefunds,
  appUrl: () => string,
): Handlers<typeof openCollectionEndpoints> {
  return {
    create: async ({ caller, body }) => toOpenCollection(await service.create(caller.home, body), appUrl()),
    find: async ({ caller, query }) =>
      toOpenCollection(
        await service.find(caller.home.merchantId, { outTradeNo: query.out_trade_no }),
        appUrl(),
      ),
    get: async ({ caller, params }) =>
      toOpenCollection(await service.find(caller.home.merchantId, { tradeNo: params.trade_no }), appUrl()),
    cancel: async ({ caller, params }) =>
      toOpenCollection(await service.cancel(caller.home.merchantId, params.trade_no), appUrl()),
    refund: async ({ caller, params }) =>
      toOpenCollection(await refunds.request(caller.home.merchantId, params.trade_no), appUrl()),
  };
}
