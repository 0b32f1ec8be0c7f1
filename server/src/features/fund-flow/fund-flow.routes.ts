import type { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import type { openEntryEndpoints } from '@hengfu/contract/fund-flow.open';
import { formatAmount } from '@hengfu/contract/money';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { openListOf } from '#http/open-api/list-reply.ts';
import type { StatementService } from './fund-flow.service.ts';
import { toRow } from './fund-flow.view.ts';

/** Handlers of the console's endpoints for the statement of available funds. */
export function fundFlowHandlers(statements: StatementService): Handlers<typeof fundFlowEndpoints> {
  return {
    list: async ({ caller: { home }, query }) => {
      const { archivedBefore, ...page } = await statements.page(home, query);
      const reply = listReplyOf(page, home.currency, (entry) => toRow(entry, home.currency));
      return { ...reply, archivedBefore: archivedBefore?.toISOString() };
    },
    sums: async ({ caller: { home }, query }) => {
      const { currency } = home;
      const { openingMinor, closingMinor, inMinor, outMinor, count } = await statements.sums(home, query);
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

/** Handlers of the Open API's balance history. */
export function openEntryHandlers(statements: StatementService): Handlers<typeof openEntryEndpoints> {
  return {
    list: async ({ caller: { home }, query }) => {
      const { archivedBefore, ...page } = await statements.onward(home, query);
      const list = openListOf(page, (entry) => toRow(entry, home.currency));
      return { ...list, archived_before: archivedBefore?.toISOString() ?? null };
    },
  };
}
