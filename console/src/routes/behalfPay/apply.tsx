import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usePageSearch } from '../../platform/page-place.ts';
import { shellRoute } from '../root.tsx';

const SinglePage = lazyRouteComponent(
  () => import('../../features/payout-apply/payout-apply-page.tsx'),
  'PayoutApplyPage',
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
  if (mode !== 'batch') return <SinglePage />;
  return batch ? <ProgressPage batchNo={batch} /> : <BatchPage recent={<RecentBatches />} />;
}
