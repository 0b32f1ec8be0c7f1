import { askAgain } from '@hengfu/client/ask-again.ts';
import { coalesce } from '@hengfu/client/coalesce.ts';
import { openLiveStream } from '@hengfu/client/live-stream.ts';
import { type FollowedTopic, staffEventsPath, staffLiveEvent } from '@hengfu/contract/staff/events';
import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { call } from './http.ts';

/** A screen is notified of changes at most this often. */
const notifyIntervalMs = 500;

interface Listener {
  topics: readonly FollowedTopic[];
  call(): void;
}

const listeners = new Set<Listener>();

/** Opens the tab's event stream. Returns the function that closes it. */
export function startLive(): () => void {
  return openLiveStream(
    { path: staffEventsPath, query: {}, event: staffLiveEvent, readAt: undefined },
    {
      onConnection: () => undefined,
      onChange: (topics) => {
        for (const listener of listeners)
          if (!topics || listener.topics.some((topic) => topics.includes(topic))) listener.call();
      },
      // An event stream does not reveal why it was refused; an ordinary call does.
      onRefused: () => void call(staffSessionEndpoints.user).catch(() => undefined),
    },
  );
}

/** Asks again for the queries under some keys when one of the topics changes, and after an interruption. */
export function useLive(topics: readonly FollowedTopic[], ...queryKeys: readonly QueryKey[]): void {
  const client = useQueryClient();
  const refetch = useEffectEvent(() => {
    for (const queryKey of queryKeys) askAgain(client, queryKey);
  });
  const joined = topics.join();
  useEffect(() => {
    const throttled = coalesce(() => refetch(), notifyIntervalMs);
    const listener: Listener = { topics: joined.split(',') as FollowedTopic[], call: throttled.call };
    listeners.add(listener);
    return () => {
      throttled.cancel();
      listeners.delete(listener);
    };
  }, [joined]);
}
