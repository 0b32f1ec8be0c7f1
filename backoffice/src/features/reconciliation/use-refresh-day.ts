import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import { useQueryClient } from '@tanstack/react-query';

/** Returns a function that asks again for everything about days. */
export function useRefreshDay(): () => void {
  const client = useQueryClient();
  return () => {
    const { days, day, differences } = reconciliationEndpoints;
    for (const { path } of [days, day, differences]) void client.invalidateQueries({ queryKey: [path] });
  };
}
