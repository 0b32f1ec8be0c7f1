import { isSearchable, type SearchHit, searchEndpoints } from '@hengfu/contract/search';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../platform/http.ts';
import { shownInPlace } from '../../platform/in-place.ts';
import { useUser } from '../../platform/session-store.ts';
import { kindsOf } from './hits.ts';

/** Typing must pause so long before the server is asked. */
const pauseMs = 150;
/** Waits shorter than this are not spoken of. */
const patienceMs = 300;

/** What the server finds for a query. */
export interface Hits {
  found: readonly SearchHit[];
  /** The server has answered for just this text. */
  isAnswered: boolean;
  /** The answer takes long. */
  isSlow: boolean;
  error: Error | null;
  retry: () => void;
}

/** Asks the server while somebody types; an answer to an earlier text is dropped. */
export function useHits(text: string): Hits {
  const user = useUser();
  const wanted = text.trim();
  const isAsked = isSearchable(wanted) && kindsOf(user).length > 0;
  const q = useLater(wanted, pauseMs);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [searchEndpoints.find.path, q],
    queryFn: async ({ signal }) => (await call(searchEndpoints.find, { query: { q }, signal })).data,
    enabled: isAsked && q === wanted,
    staleTime: 0,
    gcTime: 0,
    meta: { inPlace: shownInPlace },
  });
  const isCurrent = isAsked && q === wanted;
  const isWaiting = isAsked && (!isCurrent || isFetching);
  const isLong = useLater(isWaiting, patienceMs);
  return {
    found: isCurrent ? (data ?? []) : [],
    isAnswered: isCurrent && data !== undefined,
    isSlow: isWaiting && isLong,
    error: isCurrent && !isFetching ? error : null,
    retry: () => void refetch(),
  };
}

/** A value once it has stood for a while. */
function useLater<T>(value: T, waitMs: number): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return later;
}
