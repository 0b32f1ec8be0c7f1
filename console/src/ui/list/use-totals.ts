import { type CountedList, countedLists, totalEndpoints } from '@hengfu/contract/totals';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../platform/http.ts';
import { shownInPlace } from '../../platform/in-place.ts';
import type { ListReply, Totals } from './list-types.ts';

/** Totals are counted again when the page changes, but not more often than this. */
const recountMs = 15_000;

interface TotalsOptions {
  /** The list's name; undefined for one that cannot be counted. */
  list: string | undefined;
  filters: Readonly<Record<string, string>>;
  page: ListReply<unknown> | undefined;
}

/** Counts a list whose page has no exact total. `isCounting` until the first result. */
export function useTotals({ list, filters, page }: TotalsOptions): { totals?: Totals; isCounting: boolean } {
  const counted = countedLists.find((one) => one === list);
  const isNeeded = counted !== undefined && page !== undefined && !page.total.exact;
  const { data, isLoading, dataUpdatedAt, refetch } = useQuery({
    queryKey: [totalEndpoints.count.path, counted, filters],
    queryFn: ({ signal }) => readTotals(counted, filters, signal),
    enabled: isNeeded,
    staleTime: recountMs,
    meta: { inPlace: shownInPlace },
  });
  // A live update replaced the page, so the totals may have changed, too.
  useEffect(() => {
    if (isNeeded && page && dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > recountMs) void refetch();
  }, [isNeeded, page, dataUpdatedAt, refetch]);
  return { ...(isNeeded && data && { totals: data }), isCounting: isNeeded && isLoading };
}

async function readTotals(
  list: CountedList | undefined,
  filters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Totals> {
  if (!list) throw new Error('this list cannot be counted');
  const { data } = await call(totalEndpoints.count, { body: { list, filters: { ...filters } }, signal });
  return data;
}
