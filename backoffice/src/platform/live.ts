import { askAgain } from '@hengfu/client/ask-again.ts';
import { coalesce } from '@hengfu/client/coalesce.ts';
import { openLiveStream } from '@hengfu/client/live-stream.ts';
import { mayBeStale, TopicListeners } from '@hengfu/client/topic-listeners.ts';
import { type FollowedTopic, staffEventsPath, staffLiveEvent } from '@hengfu/contract/staff/events';
import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { call } from './http.ts';

/** A screen is notified of changes at most this often. */
const notifyIntervalMs = 500;

const listeners = new TopicListeners<FollowedTopic>();

/** Opens the tab's event stream. Returns the function that closes it. */
export function startLive(): () => void {
  return openLiveStream(
    { path: staffEventsPath, query: {}, event: staffLiveEvent, readAt: undefined },
    {
      onConnection: () => undefined,
      onChange: (topics) => listeners.changed(topics),
      // An event stream does not reveal why it was refused; an ordinary call does.
      onRefused: () => void call(staffSessionEndpoints.user).catch(() => undefined),
    },
  );
}

/**
 * Refetches the queries under some keys when one of the topics changes, and after an interruption. On mount, refetches data that may
 * have changed while nothing was listening: another page was open.
 */
export function useLive(topics: readonly FollowedTopic[], ...queryKeys: readonly QueryKey[]): void {
  const client = useQueryClient();
  const refetch = useEffectEvent((predicate?: (query: Query) => boolean) => {
    for (const queryKey of queryKeys) askAgain(client, queryKey, predicate);
  });
  const joined = topics.join();
  useEffect(() => {
    const throttled = coalesce(() => refetch(), notifyIntervalMs);
    const followed = joined.split(',') as FollowedTopic[];
    const stopListening = listeners.listen(followed, throttled.call);
    const changedMs = listeners.changedMs(followed);
    refetch(({ state }) => mayBeStale(state.dataUpdatedAt, changedMs, Date.now()));
    return () => {
      throttled.cancel();
      stopListening();
    };
  }, [joined]);
}
