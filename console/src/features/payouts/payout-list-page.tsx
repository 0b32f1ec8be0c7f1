import { payoutEndpoints } from '@hengfu/contract/payouts';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { payoutFilters } from '@hengfu/ui/orders/payout-filters.ts';
import { type ReactElement, useMemo } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { useUser } from '../../platform/session-store.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { NextStep } from '../../shared/list/next-step.tsx';
import { payoutColumns } from './payout-columns.tsx';

const PayoutDetail = onDemand(
  () => import('./payout-detail.tsx').then((module) => module.PayoutDetail),
  detailSkeleton,
);

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void => prefetchList(queryClient, payoutEndpoints.list, search);

/** Send money → Send money history. */
export function PayoutListPage(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { currency } = useUser().merchant;
  const filters = useMemo(() => payoutFilters(currency, language), [currency, language]);
  return (
    <ListPage
      name="payouts"
      exportAs="payouts"
      title="payouts.title"
      endpoint={payoutEndpoints.list}
      rowKey={(row) => row.trade_no}
      columns={payoutColumns}
      filters={filters}
      topics={['payouts']}
      sumLabel="payouts.sum"
      empty={{
        text: 'payouts.empty',
        action: <NextStep to="/behalfPay/apply" perm="payouts.create" title="payouts.applyTitle" />,
      }}
      detail={{
        title: (tradeNo) => t('payouts.order', { trade_no: tradeNo }),
        render: (tradeNo, row) => <PayoutDetail tradeNo={tradeNo} row={row} />,
      }}
    />
  );
}
