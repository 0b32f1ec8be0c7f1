import type { settlementEndpoints } from '@hengfu/contract/settlements';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { Refusal } from '#refusal.ts';
import { findSettlement, listLines, listSettlements } from './settlements.sql.ts';
import { toLine, toRow } from './settlements.view.ts';

/** The console's calls about settlements. */
export function settlementHandlers(database: Database): Handlers<typeof settlementEndpoints> {
  return {
    list: ({ caller, query }) =>
      database.asMerchant(caller.home.merchantId, async (tx) =>
        listReplyOf(await listSettlements(tx, query), caller.home.currency, toRow),
      ),

    get: ({ caller, params }) =>
      database.asMerchant(caller.home.merchantId, async (tx) => {
        const found = await findSettlement(tx, params.settlement_no);
        if (!found) throw new Refusal('not_found');
        return { data: toRow(found) };
      }),

    lines: ({ caller, params, query }) =>
      database.asMerchant(caller.home.merchantId, async (tx) => {
        const found = await findSettlement(tx, params.settlement_no);
        if (!found) throw new Refusal('not_found');
        return listReplyOf(await listLines(tx, found.id, query), caller.home.currency, toLine);
      }),
  };
}
