import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usePageSearch } from '../../platform/page-place.ts';
import { shellRoute } from '../root.tsx';

const OnePage = lazyRouteComponent(
  () => import('../../features/payout-apply/payout-apply-page.tsx'),
  'PayoutApplyPage',
);
const ManyPage = lazyRouteComponent(
  () => import('../../features/payout-batches/payout-batch-page.tsx'),
  'PayoutBatchPage',
);

const ProgressPage = lazyRouteComponent(
  () => import('../../features/payout-batches/batch-progress-page.tsx'),
  'BatchProgressPage',
);
const Recent = lazyRouteComponent(() => import('../../features/payout-batches/batch-list.tsx'), 'BatchList');

export const transfersApplyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/behalfPay/apply',
  component: PayoutApply,
});

function PayoutApply(): ReactElement {
  const { mode, batch }: { mode?: string; batch?: string } = usePageSearch();
  if (mode !== 'batch') return <OnePage />;
  return batch ? <ProgressPage batchNo={batch} /> : <ManyPage recent={<Recent />} />;
}
