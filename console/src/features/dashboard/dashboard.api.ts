import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import { reading } from '../../platform/reading.ts';

/** Today's and yesterday's figures, and the hours of the chart. */
export const dashboardOptions = {
  ...reading(dashboardEndpoints.get),
  // A page that stays open over midnight must turn to the new day, also where nothing happens.
  refetchInterval: 5 * 60_000,
};
