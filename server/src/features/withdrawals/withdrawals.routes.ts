import { formatAmount } from '@hengfu/contract/money';
import type { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import type { WithdrawalService } from './withdrawals.service.ts';
import { toRow } from './withdrawals.view.ts';

/** Handles the console's calls about withdrawals. */
export function withdrawalHandlers(service: WithdrawalService): Handlers<typeof withdrawalEndpoints> {
  return {
    terms: async ({ caller: { home } }) => {
      const terms = await service.terms(home);
      if (!terms) return { data: null };
      return {
        data: {
          currency: home.currency,
          rate: terms.rateText,
          rateAt: terms.rateAt.toISOString(),
          usdRate: terms.usdRate,
          feeUsdt: formatAmount(terms.feeUsdtMinor, 'USDT'),
          freePerDay: terms.freePerDay,
          freeLeft: Math.max(0, terms.freePerDay - terms.madeToday),
          minimumUsdt: formatAmount(terms.minimumUsdtMinor, 'USDT'),
        },
      };
    },
    addresses: async ({ caller: { home } }) => ({ data: await service.addresses(home) }),
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await service.list(home, query), home.currency, toRow),
    get: async ({ caller: { home }, params }) => ({
      data: toRow(await service.find(home.merchantId, params.trade_no)),
    }),
    apply: async ({ caller, request, body }) => ({ data: toRow(await service.apply(caller, request, body)) }),
  };
}
