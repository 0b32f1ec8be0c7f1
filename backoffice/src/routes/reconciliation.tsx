import { type ChannelCode, channelCodes } from '@hengfu/contract/channels';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const ReconciliationPage = lazyRouteComponent(
  () => import('../features/reconciliation/reconciliation-page.tsx'),
  'ReconciliationPage',
);
const DayPage = lazyRouteComponent(() => import('../features/reconciliation/day-page.tsx'), 'DayPage');

export const reconciliationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reconciliation',
  /** `channel` and `day`: the day that is shown; without both, all days are listed. */
  validateSearch: (search: Record<string, unknown>): { channel?: ChannelCode; day?: string } => {
    const channel = channelCodes.find((code) => code === search.channel);
    const isDay = typeof search.day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(search.day);
    return channel && isDay ? { channel, day: String(search.day) } : {};
  },
  component: Reconciliation,
});

function Reconciliation() {
  const { channel, day } = reconciliationRoute.useSearch();
  return channel && day ? (
    <DayPage key={`${channel} ${day}`} channel={channel} day={day} />
  ) : (
    <ReconciliationPage />
  );
}
