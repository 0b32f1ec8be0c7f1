import type { FundFlowRow, fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { fundFlowType } from './fund-flow.rules.ts';
import { readStatement, readSums, type StatementPage } from './fund-flow.service.ts';

/** The console's call about the statement of available funds. */
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
          ...{ currency, count },
          opening: text(openingMinor),
          in: text(inMinor),
          out: text(outMinor),
          closing: text(closingMinor),
        },
      };
    },
  };
}

function toRow(entry: StatementPage['rows'][number], currency: Currency): FundFlowRow {
  return {
    entry_no: String(entry.version),
    type: fundFlowType(entry.type),
    amount: formatAmount(entry.amount_minor, currency),
    balance: formatAmount(entry.balance_after_minor, currency),
    currency,
    subject_no: entry.subject_no,
    createdAt: entry.created_at.toISOString(),
  };
}
