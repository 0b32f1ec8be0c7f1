import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { shellRoute } from '../root.tsx';

const SinglePage = lazyRouteComponent(
  () => import('../../features/payout-apply/payout-apply-page.tsx'),
  'PayoutApplyPage',
);
const LatestPayouts = lazyRouteComponent(
  () => import('../../features/payouts/latest-payouts.tsx'),
  'LatestPayouts',
);
const BatchPage = lazyRouteComponent(
  () => import('../../features/payout-batches/payout-batch-page.tsx'),
  'PayoutBatchPage',
);

const ProgressPage = lazyRouteComponent(
  () => import('../../features/payout-batches/batch-progress-page.tsx'),
  'BatchProgressPage',
);
const RecentBatches = lazyRouteComponent(
  () => import('../../features/payout-batches/batch-list.tsx'),
  'BatchList',
);

export const transfersApplyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/behalfPay/apply',
  component: PayoutApply,
});

function PayoutApply(): ReactElement {
  const { mode, batch }: { mode?: string; batch?: string } = usePageSearch();
  if (mode !== 'batch') return <SinglePage recent={beside(<LatestPayouts />)} />;
  return batch ? <ProgressPage batchNo={batch} /> : <BatchPage recent={beside(<RecentBatches />)} />;
}

/** Keeps the form on screen while the code of the list below it arrives. */
const beside = (list: ReactNode): ReactElement => <Suspense>{list}</Suspense>;
