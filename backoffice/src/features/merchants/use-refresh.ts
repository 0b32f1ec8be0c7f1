import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { useRefresh as useRefreshOf } from '../../platform/refresh.ts';

const reads = Object.values(staffMerchantEndpoints).flatMap(({ method, path }) =>
  method === 'GET' ? [path] : [],
);

/** Returns a function that asks again for everything about merchants. */
export function useRefresh(): () => void {
  return useRefreshOf(...reads);
}
