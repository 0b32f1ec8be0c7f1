import { formatAmount } from '@hengfu/contract/money';
import type { refundEndpoints } from '@hengfu/contract/refunds';
import type { openRefundEndpoints } from '@hengfu/contract/refunds.open';
import type { Handlers } from '#http/bind.ts';
import { untilGone } from '#http/caller-gone.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { openListOf } from '#http/open-api/list-reply.ts';
import type { RefundReading } from './refunds.reading.ts';
import type { CollectionRefunds } from './refunds.service.ts';
import { toDetail, toOpenRefund, toRow } from './refunds.view.ts';

/** Handles the console's calls about refunds. */
export function refundHandlers(
  service: CollectionRefunds,
  reading: RefundReading,
): Handlers<typeof refundEndpoints> {
  return {
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await reading.list(home, query), home.currency, toRow),
    get: async ({ caller: { home }, params }) => ({
      data: toDetail(await service.find(home.merchantId, { refundNo: params.refund_no })),
    }),
    ofCollection: async ({ caller: { home }, params }) => {
      const { order, refunds, leftMinor, terms } = await reading.ofCollection(
        home.merchantId,
        params.trade_no,
      );
      const { currency } = order;
      return {
        data: {
          refunds: refunds.map(toRow),
          left: formatAmount(leftMinor, currency),
          isFeeReturned: !terms.isFeeKept,
          currency,
        },
      };
    },
    create: async ({ caller, request, params: { trade_no: tradeNo }, body, http }) => ({
      data: toRow(
        await untilGone(http.request.raw.socket, (gone) =>
          service.apply(caller, request, { tradeNo, body, gone }),
        ),
      ),
    }),
  };
}

/** Handles the Open API's calls about refunds. */
export function openRefundHandlers(
  service: CollectionRefunds,
  reading: RefundReading,
): Handlers<typeof openRefundEndpoints> {
  return {
    create: async ({ caller, request, body, http }) =>
      toOpenRefund(
        await untilGone(http.request.raw.socket, (gone) => service.create(caller, request, { body, gone })),
      ),
    find: async ({ caller, query }) =>
      toOpenRefund(await service.find(caller.home.merchantId, { outRefundNo: query.out_refund_no })),
    list: async ({ caller, query }) => openListOf(await reading.openList(caller.home, query), toOpenRefund),
    get: async ({ caller, params }) =>
      toOpenRefund(await service.find(caller.home.merchantId, { refundNo: params.refund_no })),
  };
}
