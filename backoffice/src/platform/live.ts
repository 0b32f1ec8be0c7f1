import { openLiveStream } from '@hengfu/client/live-stream.ts';
import { TopicListeners } from '@hengfu/client/topic-listeners.ts';
import { useTopics } from '@hengfu/client/use-topics.ts';
import { type FollowedTopic, staffEventsPath, staffLiveEvent } from '@hengfu/contract/staff/events';
import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import type { QueryKey } from '@tanstack/react-query';
import { call } from './http.ts';

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

/** Refetches the queries under some keys when one of the topics changes; see {@link useTopics}. */
export function useLive(topics: readonly FollowedTopic[], ...queryKeys: readonly QueryKey[]): void {
  useTopics(listeners, topics, queryKeys);
}
