import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ListSource, QueryValues } from './list-source.ts';
import type { ListReply, Totals } from './list-types.ts';

/** Totals are counted again when the page changes, but not more often than this. */
const recountMs = 15_000;

interface TotalsOptions {
  source: ListSource<unknown>;
  filters: QueryValues;
  page: ListReply<unknown> | undefined;
}

/** Totals that a page lacks. */
export interface CountedTotals {
  totals?: Totals;
  /** Until the first result. */
  isCounting: boolean;
  /** Rows that a long count has reached so far. */
  countedSoFar?: number | undefined;
}

/** Counts a list whose page has no exact total. */
export function useTotals({ source, filters, page }: TotalsOptions): CountedTotals {
  const [countedSoFar, setCountedSoFar] = useState<number>();
  const query = source.totals?.(filters, setCountedSoFar);
  const isNeeded = query !== undefined && page !== undefined && !page.total.exact;
  const { data, isLoading, dataUpdatedAt, refetch } = useQuery({
    queryKey: query?.queryKey ?? [...source.key, 'uncounted'],
    queryFn: query?.queryFn ?? skipToken,
    meta: query?.meta,
    enabled: isNeeded,
    staleTime: recountMs,
  });
  // A live update replaced the page, so the totals may have changed, too.
  useEffect(() => {
    if (isNeeded && page && dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > recountMs) void refetch();
  }, [isNeeded, page, dataUpdatedAt, refetch]);
  return { ...(isNeeded && data && { totals: data }), isCounting: isNeeded && isLoading, countedSoFar };
}
