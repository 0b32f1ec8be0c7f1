import { payoutEndpoints } from '@hengfu/contract/payouts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { payoutLooks } from '@hengfu/ui/orders/payout-looks.ts';
import { LatestOrders } from '@hengfu/ui/page/latest-orders.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';

const maxShown = 5;

const latestOptions = queryOptions({
  queryKey: [payoutEndpoints.list.path, 'latest'],
  queryFn: async ({ signal }) => (await call(payoutEndpoints.list, { query: {}, signal })).data,
  meta: { inPlace: true },
});

/** The latest payouts, which help to notice one that was already submitted. */
export function LatestPayouts(): ReactElement {
  const t = useT();
  const { data: payouts = [] } = useQuery(latestOptions);
  useLive(['payouts'], latestOptions.queryKey);
  return (
    <LatestOrders
      title={t('payouts.latest')}
      all={<Link to="/behalfPay/transfers">{t('ui.viewAll')}</Link>}
      orders={payouts.slice(0, maxShown).map(({ trade_no, payee, createdAt, amount, currency, status }) => ({
        trade_no,
        link: (
          <Link to="/behalfPay/transfers" search={{ open: trade_no }}>
            {payee}
          </Link>
        ),
        createdAt,
        amount: <Money amount={amount} currency={currency} />,
        look: payoutLooks[status],
      }))}
    />
  );
}
