import { formatAmount } from '@hengfu/contract/money';
import type { topupEndpoints } from '@hengfu/contract/topups';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import type { TopupService } from './topups.service.ts';
import { toRow } from './topups.view.ts';

/** Handles the console's calls about top-ups. */
export function topupHandlers(service: TopupService): Handlers<typeof topupEndpoints> {
  return {
    options: async ({ caller: { home } }) => {
      const options = await service.options(home);
      if (!options) return { data: null };
      const { rate, rateAt, usdRate, wallets } = options;
      return {
        data: {
          currency: home.currency,
          rate,
          rateAt: rateAt.toISOString(),
          usdRate,
          wallets: wallets.map(({ network, address, minimumUsdtMinor }) => ({
            network,
            address,
            minimumUsdt: formatAmount(minimumUsdtMinor, 'USDT'),
          })),
        },
      };
    },
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await service.list(home, query), home.currency, toRow),
    get: async ({ caller: { home }, params }) => ({
      data: toRow(await service.find(home.merchantId, params.trade_no)),
    }),
    screenshot: async ({ caller: { home }, params }) => {
      const { type, bytes } = await service.image(home.merchantId, params.trade_no);
      return { data: { type, base64: bytes.toString('base64') } };
    },
    apply: async ({ caller, request, body }) => ({ data: toRow(await service.apply(caller, request, body)) }),
  };
}
