import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { askAgain } from './ask-again.ts';
import { coalesce } from './coalesce.ts';
import { mayBeStale, type TopicListeners } from './topic-listeners.ts';

/** A screen is notified of changes at most this often. */
const notifyIntervalMs = 500;

/**
 * Refetches the queries under some keys when one of the topics changes (at once, then at most twice a
 * second), and after the connection was interrupted. On mount, refetches data that may have changed while
 * nothing was listening (the page was hidden, or its data was cached).
 */
export function useTopics<T extends string>(
  listeners: TopicListeners<T>,
  topics: readonly T[],
  queryKeys: readonly QueryKey[],
): void {
  const client = useQueryClient();
  const refetch = useEffectEvent((predicate?: (query: Query) => boolean) => {
    for (const queryKey of queryKeys) askAgain(client, queryKey, predicate);
  });
  const joined = topics.join();
  useEffect(() => {
    const throttled = coalesce(() => refetch(), notifyIntervalMs);
    const followed = joined.split(',') as T[];
    const stopListening = listeners.listen(followed, throttled.call);
    const changedMs = listeners.changedMs(followed);
    refetch(({ state }) => mayBeStale(state.dataUpdatedAt, changedMs, Date.now()));
    return () => {
      throttled.cancel();
      stopListening();
    };
  }, [joined, listeners]);
}
