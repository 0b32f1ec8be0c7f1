import { type CountedList, countedLists, totalEndpoints } from '@hengfu/contract/totals';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { callLines } from '../../platform/http.ts';
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

/** Totals that a page lacks. */
export interface CountedTotals {
  totals?: Totals;
  /** Until the first result. */
  isCounting: boolean;
  /** Rows that a long count has reached so far. */
  countedSoFar?: number | undefined;
}

/** Counts a list whose page has no exact total. */
export function useTotals({ list, filters, page }: TotalsOptions): CountedTotals {
  const counted = countedLists.find((one) => one === list);
  const isNeeded = counted !== undefined && page !== undefined && !page.total.exact;
  const [countedSoFar, setCountedSoFar] = useState<number>();
  const { data, isLoading, dataUpdatedAt, refetch } = useQuery({
    queryKey: [totalEndpoints.count.path, counted, filters],
    queryFn: ({ signal }) => {
      setCountedSoFar(undefined);
      return readTotals(counted, filters, signal, setCountedSoFar);
    },
    enabled: isNeeded,
    staleTime: recountMs,
    meta: { inPlace: shownInPlace },
  });
  // A live update replaced the page, so the totals may have changed, too.
  useEffect(() => {
    if (isNeeded && page && dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > recountMs) void refetch();
  }, [isNeeded, page, dataUpdatedAt, refetch]);
  return { ...(isNeeded && data && { totals: data }), isCounting: isNeeded && isLoading, countedSoFar };
}

async function readTotals(
  list: CountedList | undefined,
  filters: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onProgress: (counted: number) => void,
): Promise<Totals> {
  if (!list) throw new Error('this list cannot be counted');
  const input = { body: { list, filters: { ...filters } }, signal };
  const last = await callLines(totalEndpoints.count, input, (line) => {
    if ('counted' in line) onProgress(line.counted);
  });
  // The connection ended before the count did.
  if (!('data' in last)) throw new ApiError({ status: 0, code: 'network', message: '' });
  return last.data;
}
