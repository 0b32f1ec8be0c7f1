import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { LatestOrders } from '@hengfu/ui/page/latest-orders.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { withdrawalLooks } from './withdrawal-looks.ts';

const maxShown = 5;

const latestOptions = queryOptions({
  queryKey: [withdrawalEndpoints.list.path, 'latest'],
  queryFn: async ({ signal }) => (await call(withdrawalEndpoints.list, { query: {}, signal })).data,
  meta: { inPlace: true },
});

/** The latest withdrawals and their review. */
export function LatestWithdrawals(): ReactElement {
  const t = useT();
  const { data: withdrawals = [] } = useQuery(latestOptions);
  useLive(['withdrawals'], latestOptions.queryKey);
  return (
    <LatestOrders
      title={t('withdrawals.latest')}
      all={<Link to="/withdrawal/record">{t('ui.viewAll')}</Link>}
      orders={withdrawals.slice(0, maxShown).map(({ trade_no, createdAt, usdt, status }) => ({
        trade_no,
        link: (
          <Link to="/withdrawal/record" search={{ open: trade_no }}>
            {trade_no}
          </Link>
        ),
        createdAt,
        amount: <Money amount={usdt} currency="USDT" />,
        look: withdrawalLooks[status],
      }))}
    />
  );
}
