import { approvalStates } from '@hengfu/contract/approval-states';
import { approvalKinds } from '@hengfu/contract/approvals';
import { collectionStatuses, settlementStatuses } from '@hengfu/contract/collections';
import { exportQuery, exportStatuses } from '@hengfu/contract/exports';
import { fundFlowTypes } from '@hengfu/contract/fund-flow';
import { linkStates, paymentLinkQuery } from '@hengfu/contract/payment-links';
import { payoutStatuses } from '@hengfu/contract/payouts';
import { quotas } from '@hengfu/contract/quotas';
import { refundStatuses } from '@hengfu/contract/refunds';
import { batchStatuses } from '@hengfu/contract/settlements';
import { topupCoins, topupStatuses } from '@hengfu/contract/topups';
import { withdrawalCoins, withdrawalStatuses } from '@hengfu/contract/withdrawals';
import type * as z from 'zod';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { ConsoleList } from '#domain/exportable.sql.ts';
import type { ListSource } from '#domain/list-source.sql.ts';
import { approvalList } from '#features/approvals/approvals.lists.ts';
import { auditLogList } from '#features/audit-log/audit-log.lists.ts';
import { collectionList } from '#features/collections/collections.lists.ts';
import { refundList } from '#features/collections/refunds/refunds.lists.ts';
import { exportSource } from '#features/exports/exports.sql.ts';
import { fundFlowList } from '#features/fund-flow/fund-flow.lists.ts';
import { linkSource } from '#features/payment-links/payment-links-list.sql.ts';
import { payoutList } from '#features/payouts/payouts.lists.ts';
import { requestList } from '#features/request-log/request-log.lists.ts';
import { settlementList } from '#features/settlements/settlements.lists.ts';
import { topupList } from '#features/topups/topups.lists.ts';
import { withdrawalList } from '#features/withdrawals/withdrawals.lists.ts';
import { nothingArchived } from './nothing-archived.ts';

/** A list of the console, with its filters and its source. */
export interface KnownList {
  name: string;
  path: string;
  query: z.ZodObject;
  /** The values of the filters that accept several. */
  several: Readonly<Record<string, readonly string[]>>;
  /** Filters by details of which an order has few: combined with all others, they would be too many sets. */
  details?: readonly string[];
  /** The rows that a merchant may have, if a quota keeps them so few that a filter may read them all. */
  quota?: number;
  /** The source for filters as in a URL; undefined if there is nothing to read yet. */
  source(tx: MerchantTx, home: Home, filters: object): Promise<ListSource | undefined>;
}

function known<Q extends z.ZodObject>(
  name: string,
  path: string,
  { query, source }: ConsoleList<Q>,
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

/** Every list of the console. */
export const knownLists: readonly KnownList[] = [
  known('transactions', 'collections', collectionList, {
    status: collectionStatuses,
    settlementStatus: settlementStatuses,
  }),
  {
    ...known('payouts', 'payouts', payoutList, { status: payoutStatuses, approvalState: approvalStates }),
    details: ['bank', 'ifsc', 'accountType', 'taxId'],
  },
  known('refunds', 'refunds', refundList, { status: refundStatuses }),
  {
    ...known(
      'payment links',
      'payment-links',
      { query: paymentLinkQuery, source: (tx, _home, query) => linkSource(tx, query) },
      { state: linkStates },
    ),
    quota: quotas.linksOfMerchant,
  },
  known('top-ups', 'topups', topupList, { status: topupStatuses, coin: topupCoins }),
  known('withdrawals', 'withdrawals', withdrawalList, {
    status: withdrawalStatuses,
    approvalState: approvalStates,
    coin: withdrawalCoins,
  }),
  known('fund flow', 'fund-flow', fundFlowList(nothingArchived), { type: fundFlowTypes }),
  known('settlements', 'settlements', settlementList, { status: batchStatuses }),
  known('approvals', 'approvals', approvalList, { state: approvalStates, kind: approvalKinds }),
  // Of sixty actions, the most frequent one and two others.
  known('audit log', 'audit-log', auditLogList(nothingArchived), {
    action: ['payout_create', 'ip_address_set', 'session_sign_in'],
  }),
  // Of the results and methods, those whose conditions differ.
  known('requests', 'requests', requestList, { result: ['done', 'refused'], method: ['POST'] }),
  known(
    'exports',
    'exports',
    { query: exportQuery, source: (tx, _home, query) => exportSource(tx, query) },
    { status: exportStatuses },
  ),
];
