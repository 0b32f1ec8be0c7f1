import { parsePlainSearch, stringifyPlainSearch } from '@hengfu/ui/browser/search.ts';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { createRouter, Link } from '@tanstack/react-router';
import { accountRoute } from '../routes/account.tsx';
import { loginRoute } from '../routes/login.tsx';
import { merchantRoute } from '../routes/merchant.tsx';
import { merchantLookRoute } from '../routes/merchant-look.tsx';
import { merchantsRoute } from '../routes/merchants.tsx';
import { newMerchantRoute } from '../routes/new-merchant.tsx';
import { ordersRoute } from '../routes/orders.tsx';
import { reconciliationRoute } from '../routes/reconciliation.tsx';
import { requestsRoute } from '../routes/requests.tsx';
import { rootRoute } from '../routes/root.tsx';
import { serviceRoute } from '../routes/service.tsx';
import { todayRoute } from '../routes/today.tsx';
import { topupsRoute } from '../routes/topups.tsx';
import { withdrawalsRoute } from '../routes/withdrawals.tsx';
import { Frame } from './frame.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

rootRoute.update({ component: Frame });

/** The router of the back office: search parameters are plain text. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    todayRoute,
    loginRoute,
    topupsRoute,
    withdrawalsRoute,
    requestsRoute,
    merchantsRoute,
    newMerchantRoute,
    merchantRoute,
    merchantLookRoute,
    ordersRoute,
    reconciliationRoute,
    serviceRoute,
    accountRoute,
  ]),
  parseSearch: parsePlainSearch,
  stringifySearch: stringifyPlainSearch,
  defaultNotFoundComponent: NotFound,
});

function NotFound() {
  const t = useT();
  return (
    <Page title={t('office.notFound')}>
      <p>
        <Link to="/" className={buttonClass('primary')}>
          {t('office.today')}
        </Link>
      </p>
    </Page>
  );
}
