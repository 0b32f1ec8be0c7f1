import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { useQueryClient } from '@tanstack/react-query';

/** Returns a function that asks again for everything about merchants. */
export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const { method, path } of Object.values(staffMerchantEndpoints))
      if (method === 'GET') void client.invalidateQueries({ queryKey: [path] });
  };
}
