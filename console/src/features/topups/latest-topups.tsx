import { topupEndpoints } from '@hengfu/contract/topups';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { LatestOrders } from '@hengfu/ui/page/latest-orders.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { topupLooks } from './topup-looks.ts';

const maxShown = 5;

const latestOptions = queryOptions({
  queryKey: [topupEndpoints.list.path, 'latest'],
  queryFn: async ({ signal }) => (await call(topupEndpoints.list, { query: {}, signal })).data,
  meta: { inPlace: true },
});

/** The latest top-ups and their review. */
export function LatestTopups(): ReactElement {
  const t = useT();
  const { data: topups = [] } = useQuery(latestOptions);
  useLive(['topups'], latestOptions.queryKey);
  return (
    <LatestOrders
      title={t('topups.latest')}
      all={<Link to="/recharge/record">{t('ui.viewAll')}</Link>}
      orders={topups.slice(0, maxShown).map(({ trade_no, createdAt, usdt, status }) => ({
        trade_no,
        link: (
          <Link to="/recharge/record" search={{ open: trade_no }}>
            {trade_no}
          </Link>
        ),
        createdAt,
        amount: <Money amount={usdt} currency="USDT" />,
        look: topupLooks[status],
      }))}
    />
  );
}
