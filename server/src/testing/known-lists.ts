import { collectionStatuses, settlementStatuses } from '@hengfu/contract/collections';
import { exportQuery, exportStatuses } from '@hengfu/contract/exports';
import { fundFlowTypes } from '@hengfu/contract/fund-flow';
import { payoutStatuses } from '@hengfu/contract/payouts';
import { batchStatuses } from '@hengfu/contract/settlements';
import { topupStatuses } from '@hengfu/contract/topups';
import { withdrawalStatuses } from '@hengfu/contract/withdrawals';
import type * as z from 'zod';
import { type FilteredList, listSources } from '#composition/list-sources.ts';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { ListSource } from '#domain/list.sql.ts';
import { exportSource } from '#features/exports/exports.sql.ts';

/** A list of the console, with its filters and its source. */
export interface KnownList {
  name: string;
  path: string;
  query: z.ZodObject;
  /** The values of the filters that accept several. */
  several: Readonly<Record<string, readonly string[]>>;
  /** The source for filters as in a URL; undefined if there is nothing to read yet. */
  source(tx: MerchantTx, home: Home, filters: object): Promise<ListSource | undefined>;
}

function known<Q extends z.ZodObject>(
  name: string,
  path: string,
  { query, source }: FilteredList<Q>,
  several: KnownList['several'],
): KnownList {
  return {
    name,
    query,
    several,
    path: `/api/merchant/${path}`,
    source: async (tx, home, filters) => source(tx, home, query.parse(filters)),
  };
}

const { collections, payouts, topups, withdrawals, fundFlow, settlements } = listSources;

/** Every list of the console. */
export const knownLists: readonly KnownList[] = [
  known('transactions', 'collections', collections, {
    status: collectionStatuses,
    settlementStatus: settlementStatuses,
  }),
  known('payouts', 'payouts', payouts, { status: payoutStatuses }),
  known('top-ups', 'topups', topups, { status: topupStatuses }),
  known('withdrawals', 'withdrawals', withdrawals, { status: withdrawalStatuses }),
  known('fund flow', 'fund-flow', fundFlow, { type: fundFlowTypes }),
  known('settlements', 'settlements', settlements, { status: batchStatuses }),
  known(
    'exports',
    'exports',
    { query: exportQuery, source: (tx, _home, query) => exportSource(tx, query) },
    { status: exportStatuses },
  ),
];
