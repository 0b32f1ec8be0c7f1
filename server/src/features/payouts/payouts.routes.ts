import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { payoutEndpoints } from '@hengfu/contract/payouts';
import type { openPayoutEndpoints } from '@hengfu/contract/payouts.open';
import { bankOfIfsc } from '#domain/ifsc.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { openListOf } from '#http/open-api/list-reply.ts';
import type { PayoutReading } from './payouts.reading.ts';
import type { PayoutService } from './payouts.service.ts';
import { toDetail, toKnownPayee, toOpenPayout, toRow } from './payouts.view.ts';

/** Handles the console's calls about payouts. */
export function payoutHandlers(
  service: PayoutService,
  reading: PayoutReading,
): Handlers<typeof payoutEndpoints> {
  return {
    channels: async ({ caller: { home } }) => {
      const { currency }: { currency: Currency } = home;
      const open = await reading.channels(home);
      return {
        data: open.map(({ code, ratePpm, fixedMinor }) => ({
          code,
          currency,
          ratePpm,
          fixed: formatAmount(fixedMinor, currency),
        })),
      };
    },
    ifsc: async ({ params }) => {
      const data = bankOfIfsc(params.ifsc.toUpperCase());
      if (!data) throw new Refusal('not_found');
      return { data };
    },
    payees: async ({ caller: { home }, query }) => ({
      data: (await reading.payees(home, query.channel, query.search)).map(toKnownPayee),
    }),
    checkPayee: async ({ caller: { home }, query }) => ({
      data: await reading.checkPayee(home, { ...query, amount: '0' }),
    }),
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await reading.list(home, query), home.currency, toRow),
    get: async ({ caller: { home }, params }) => ({
      data: toDetail(await reading.history(home.merchantId, params.trade_no)),
    }),
    apply: async ({ caller, request, body }) => ({ data: toRow(await service.apply(caller, request, body)) }),
  };
}

/** Handles the Open API's calls about payouts. */
export function openPayoutHandlers(
  service: PayoutService,
  reading: PayoutReading,
): Handlers<typeof openPayoutEndpoints> {
  return {
    create: {
      claimsNonce: true,
      handle: async ({ caller, request, body }) => toOpenPayout(await service.create(caller, request, body)),
    },
    find: async ({ caller, query }) =>
      toOpenPayout(await reading.find(caller.home.merchantId, { outTradeNo: query.out_trade_no })),
    list: async ({ caller, query }) => openListOf(await reading.openList(caller.home, query), toOpenPayout),
    get: async ({ caller, params }) =>
      toOpenPayout(await reading.find(caller.home.merchantId, { tradeNo: params.trade_no })),
  };
}
