import { formatAmount } from '@hengfu/contract/money';
import type { channelTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import type { Handlers } from '#http/bind.ts';
import type { ChannelTermsService } from './channel-terms.ts';

/** Handles the calls of our staff about the fees of merchants. */
export function channelTermsHandlers(terms: ChannelTermsService): Handlers<typeof channelTermsEndpoints> {
  return {
    preview: async ({ params: { code }, query }) => {
      const { day, currency, orders } = await terms.preview(code, query);
      return {
        data: {
          day,
          currency,
          orders: orders.map(({ kind, count, amountMinor, wasMinor, wouldMinor }) => ({
            kind,
            count,
            amount: formatAmount(amountMinor, currency),
            was: formatAmount(wasMinor, currency),
            would: formatAmount(wouldMinor, currency),
          })),
        },
      };
    },
    ask: async ({ caller: member, request, params: { code }, body }) => ({
      data: { request: String(await terms.ask(code, { member, request }, body)) },
    }),
  };
}
