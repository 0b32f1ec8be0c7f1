import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import { reading } from '../../platform/reading.ts';

/** Today's and yesterday's figures, and the hours of the chart. */
export const dashboardOptions = {
  ...reading(dashboardEndpoints.get),
  // A page left open past midnight must switch to the new day even if nothing happens.
  refetchInterval: 5 * 60_000,
};
