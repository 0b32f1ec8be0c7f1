import { type StaffRequestState, staffRequestStates } from '@hengfu/contract/staff/requests';
import { createRoute, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const RequestsPage = lazyRouteComponent(
  () => import('../features/requests/requests-page.tsx'),
  'RequestsPage',
);

export const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests',
  /** `request`: the ID of the request that is open. */
  validateSearch: (search: Record<string, unknown>): { state?: StaffRequestState; request?: string } => ({
    ...(isState(search.state) && { state: search.state }),
    ...(typeof search.request === 'string' && { request: search.request }),
  }),
  component: Requests,
});

function isState(value: unknown): value is StaffRequestState {
  return staffRequestStates.some((state) => state === value);
}

function Requests() {
  const { state = 'waiting', request } = requestsRoute.useSearch();
  const navigate = useNavigate();
  return (
    <RequestsPage
      state={state}
      opened={request}
      show={({ state: next, request: opened }) =>
        void navigate({
          to: '/requests',
          search: {
            ...(next !== 'waiting' && { state: next }),
            ...(opened !== undefined && { request: opened }),
          },
        })
      }
    />
  );
}
