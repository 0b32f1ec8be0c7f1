import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { shownInPlace } from '../../ui/in-place.ts';

/** Today's and yesterday's figures, and the hours of the chart. */
export const dashboardOptions = queryOptions({
  queryKey: [dashboardEndpoints.get.path] as const,
  queryFn: async ({ signal }) => (await call(dashboardEndpoints.get, { signal })).data,
  // A page that stays open over midnight must turn to the new day, also where nothing happens.
  refetchInterval: 5 * 60_000,
  meta: { inPlace: shownInPlace },
});
