import type { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { formatAmount } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { readStatement, readSums } from './fund-flow.service.ts';
import { toRow } from './fund-flow.view.ts';

/** Handlers of the console's endpoints for the statement of available funds. */
export function fundFlowHandlers(database: Database): Handlers<typeof fundFlowEndpoints> {
  return {
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await readStatement(database, home, query), home.currency, (entry) =>
        toRow(entry, home.currency),
      ),
    sums: async ({ caller: { home }, query }) => {
      const { currency } = home;
      const { openingMinor, closingMinor, inMinor, outMinor, count } = await readSums(database, home, query);
      const text = (amountMinor: bigint) => formatAmount(amountMinor, currency);
      return {
        data: {
          currency,
          count,
          opening: text(openingMinor),
          in: text(inMinor),
          out: text(outMinor),
          closing: text(closingMinor),
        },
      };
    },
  };
}
