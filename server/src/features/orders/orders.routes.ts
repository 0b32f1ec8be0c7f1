import { formatAmount } from '@hengfu/contract/money';
import type { OrderRow, orderEndpoints } from '@hengfu/contract/staff/orders';
import type { Handlers } from '#http/bind.ts';
import type { FoundOrder, OrdersService } from './orders.service.ts';

/** Handles the calls of our staff about orders of all merchants. */
export function orderHandlers(orders: OrdersService): Handlers<typeof orderEndpoints> {
  return {
    list: async ({ query }) => {
      const { rows, at, ...page } = await orders.list(query);
      return { ...page, data: rows.map(toRow), at: at.toISOString() };
    },
    sendAgain: async ({ caller: member, request, params }) => {
      await orders.sendAgain(params.trade_no, params.id, { member, request });
    },
  };
}

function toRow(order: FoundOrder): OrderRow {
  const { currency } = order;
  return {
    kind: order.kind,
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    merchant: { code: order.merchantCode, name: order.merchantName, isTest: order.mode === 'test' },
    status: order.status,
    amount: formatAmount(order.amountMinor, currency),
    fee: formatAmount(order.feeMinor, currency),
    currency,
    channel: order.channel,
    payee: order.payee,
    createdAt: order.page_at.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
  };
}
