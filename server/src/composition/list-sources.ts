import { collectionQuery } from '@hengfu/contract/collections';
import { fundFlowQuery } from '@hengfu/contract/fund-flow';
import { payoutQuery } from '@hengfu/contract/payouts';
import { settlementQuery } from '@hengfu/contract/settlements';
import { topupQuery } from '@hengfu/contract/topups';
import { withdrawalQuery } from '@hengfu/contract/withdrawals';
import type * as z from 'zod';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { ListSource } from '#domain/list.sql.ts';
import { collectionSource } from '#features/collections/collections-list.sql.ts';
import { entrySource, findRange } from '#features/fund-flow/fund-flow.sql.ts';
import { payoutSource } from '#features/payouts/payouts-list.sql.ts';
import { settlementSource } from '#features/settlements/settlements.sql.ts';
import { topupSource } from '#features/topups/topups-list.sql.ts';
import { withdrawalSource } from '#features/withdrawals/withdrawals-list.sql.ts';

/** The filters of a list, and what it is read from with them; undefined where there is nothing to read yet. */
export interface FilteredList<Q extends z.ZodType = z.ZodType> {
  query: Q;
  source: (
    tx: MerchantTx,
    home: Home,
    query: z.output<Q>,
  ) => ListSource | undefined | Promise<ListSource | undefined>;
}

const filtered = <Q extends z.ZodType>(query: Q, source: FilteredList<Q>['source']): FilteredList<Q> => ({
  query,
  source,
});

/** The console's lists of orders and money, by what exports call them. */
export const listSources = {
  collections: filtered(collectionQuery, collectionSource),
  settlements: filtered(settlementQuery, (tx, _home, query) => settlementSource(tx, query)),
  payouts: filtered(payoutQuery, payoutSource),
  topups: filtered(topupQuery, topupSource),
  withdrawals: filtered(withdrawalQuery, withdrawalSource),
  fundFlow: filtered(fundFlowQuery, async (tx, home, query) => {
    const range = await findRange(tx, home.currency, query);
    return range && entrySource(tx, range, query);
  }),
};
