import { formatAmount } from '@hengfu/contract/money';
import type { totalEndpoints } from '@hengfu/contract/totals';
import type { Handlers } from '#http/bind.ts';
import type { TotalsService } from './totals.service.ts';

/** Handlers of the totals endpoint. */
export function totalHandlers(totals: TotalsService): Handlers<typeof totalEndpoints> {
  return {
    count: async ({ caller, body, http: { request } }) => {
      const gone = new AbortController();
      const onClose = () => gone.abort();
      const { socket } = request.raw;
      // A client that has already disconnected emits no further event.
      if (socket.destroyed) gone.abort();
      socket.once('close', onClose);
      try {
        const { count, sumMinor, at } = await totals.count(caller, body.list, body.filters, gone.signal);
        const { currency } = caller.home;
        const sum =
          sumMinor === undefined ? undefined : { currency, amount: formatAmount(sumMinor, currency) };
        return { data: { count, sum, at: at.toISOString() } };
      } finally {
        socket.off('close', onClose);
      }
    },
  };
}
