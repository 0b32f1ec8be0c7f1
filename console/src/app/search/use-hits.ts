import { shownInPlace } from '@hengfu/client/in-place.ts';
import { isSearchable, type SearchHit, searchEndpoints } from '@hengfu/contract/search';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import { kindsOf } from './hits.ts';

/** Debounce: the server is queried once typing has paused for this long. */
const debounceMs = 150;
/** Shorter waits show no "searching" status. */
const slowAfterMs = 300;

/** The server's results for a query. */
export interface Hits {
  found: readonly SearchHit[];
  /** The server has answered for exactly this text. */
  isAnswered: boolean;
  /** The server is taking a noticeable time to answer. */
  isSlow: boolean;
  error: Error | null;
  retry: () => void;
}

/** Queries the server as the user types. Answers to an earlier text are dropped. */
export function useHits(text: string): Hits {
  const user = useUser();
  const trimmed = text.trim();
  const isEnabled = isSearchable(trimmed) && kindsOf(user).length > 0;
  const q = useDebounced(trimmed, debounceMs);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [searchEndpoints.find.path, q],
    queryFn: async ({ signal }) => (await call(searchEndpoints.find, { query: { q }, signal })).data,
    enabled: isEnabled && q === trimmed,
    staleTime: 0,
    gcTime: 0,
    meta: { inPlace: shownInPlace },
  });
  const isCurrent = isEnabled && q === trimmed;
  const isWaiting = isEnabled && (!isCurrent || isFetching);
  const hasWaitedLong = useDebounced(isWaiting, slowAfterMs);
  return {
    found: isCurrent ? (data ?? []) : [],
    isAnswered: isCurrent && data !== undefined,
    isSlow: isWaiting && hasWaitedLong,
    error: isCurrent && !isFetching ? error : null,
    retry: () => void refetch(),
  };
}

/** The value, once it has not changed for `waitMs`. */
function useDebounced<T>(value: T, waitMs: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return debounced;
}
