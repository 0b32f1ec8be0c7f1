import { openCollectionQuery } from '@hengfu/contract/collections.open';
import { openEntryQuery } from '@hengfu/contract/fund-flow.open';
import { openPayoutQuery } from '@hengfu/contract/payouts.open';
import { openRefundQuery } from '@hengfu/contract/refunds.open';
import { openSettlementQuery } from '@hengfu/contract/settlements.open';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { ListSource } from '#domain/list-source.sql.ts';
import { createdRange } from '#domain/open-list.ts';
import { openCollectionSource } from '#features/collections/collections-list.sql.ts';
import { openRefundSource } from '#features/collections/refunds/refunds-list.sql.ts';
import { entrySource, findRange } from '#features/fund-flow/fund-flow.sql.ts';
import { openPayoutSource } from '#features/payouts/payouts-list.sql.ts';
import { openSettlementSource } from '#features/settlements/settlements.sql.ts';
import { nothingArchived } from './nothing-archived.ts';

/** A list of the Open API. */
export interface OpenList {
  name: string;
  path: string;
  /** The field that tells its rows apart. */
  numberField: string;
  /** The statement that reads these numbers in the list's order. */
  table(merchantId: bigint): string;
  /** The filter with several values, and two of them. */
  status: readonly [filter: string, one: string, two: string];
  /** The source for filters as in a URL; undefined if there is nothing to read yet. */
  source(tx: MerchantTx, home: Home, filters: object): Promise<ListSource | undefined>;
}

const newest = (id: bigint) => `where merchant_id = ${id} order by created_at desc, id desc`;

/** Every list of the Open API. */
export const openLists: readonly OpenList[] = [
  {
    name: 'collections',
    path: '/openapi/v1/collections/list',
    numberField: 'trade_no',
    table: (id) => `select trade_no as no from collection ${newest(id)}`,
    status: ['status', 'toBePaid', 'success'],
    source: async (tx, home, filters) => openCollectionSource(tx, home, openCollectionQuery.parse(filters)),
  },
  {
    name: 'payouts',
    path: '/openapi/v1/payouts/list',
    numberField: 'trade_no',
    table: (id) => `select trade_no as no from payout ${newest(id)}`,
    status: ['status', 'pending', 'processed'],
    source: (tx, home, filters) => openPayoutSource(tx, home, openPayoutQuery.parse(filters)),
  },
  {
    name: 'refunds',
    path: '/openapi/v1/refunds/list',
    numberField: 'refund_no',
    table: (id) => `select refund_no as no from refund ${newest(id)}`,
    status: ['status', 'requested', 'processing'],
    source: async (tx, home, filters) => openRefundSource(tx, home, openRefundQuery.parse(filters)),
  },
  {
    name: 'settlements',
    path: '/openapi/v1/settlements/list',
    numberField: 'settlement_no',
    table: (id) => `select settlement_no as no from settlement ${newest(id)}`,
    status: ['status', 'pendingSettlement', 'settled'],
    source: async (tx, _home, filters) => openSettlementSource(tx, openSettlementQuery.parse(filters)),
  },
  {
    name: 'balance entries',
    path: '/openapi/v1/balance/entries/list',
    numberField: 'entry_no',
    table: (id) => `select e.version as no from ledger_entry e
      join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id
      where e.merchant_id = ${id} and a.kind = 'available' order by e.version desc`,
    status: ['type', 'payoutDeduction', 'collectionSettlement'],
    source: async (tx, home, filters) => {
      const query = openEntryQuery.parse(filters);
      const range = await findRange(tx, home.currency, createdRange(query), nothingArchived);
      return range && entrySource(tx, range, { type: query.type });
    },
  },
];
