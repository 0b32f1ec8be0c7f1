import { ApiError } from '@hengfu/client/api-error.ts';
import { type Connection, openLiveStream } from '@hengfu/client/live-stream.ts';
import { TopicListeners } from '@hengfu/client/topic-listeners.ts';
import { useTopics } from '@hengfu/client/use-topics.ts';
import { eventsPath, liveEvent, type Topic } from '@hengfu/contract/events';
import { sessionEndpoints } from '@hengfu/contract/session';
import { merchantParameter } from '@hengfu/contract/workplaces';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { boot } from './boot.ts';
import { reactToFailure } from './failures.ts';
import { call } from './http.ts';
import { pageMerchant } from './session-store.ts';

const listeners = new TopicListeners<Topic>();
const useConnectionStore = create<{ connection: Connection }>(() => ({ connection: 'connecting' }));

/** Opens the tab's event stream, for the shell's lifetime. Returns the function that closes it. */
export function startLive(): () => void {
  const merchant = pageMerchant();
  return openLiveStream(
    {
      path: eventsPath,
      query: merchant === undefined ? {} : { [merchantParameter]: merchant },
      event: liveEvent,
      readAt: boot?.readAt,
    },
    {
      onConnection: (connection) => useConnectionStore.setState({ connection }),
      onChange: (topics) => listeners.changed(topics),
      onRefused: () => void checkSession(),
    },
  );
}

/** Refetches the queries under some keys when one of the topics changes; see {@link useTopics}. */
export function useLive(topics: readonly Topic[], ...queryKeys: readonly QueryKey[]): void {
  useTopics(listeners, topics, queryKeys);
}

/** The state of the event stream, for the "connection lost" banner. */
export function useConnection(): Connection {
  return useConnectionStore((state) => state.connection);
}

/** Calls `onReturn` when a lost connection is restored. */
export function useConnectionReturn(onReturn: () => void): void {
  const notify = useEffectEvent(onReturn);
  useEffect(
    () =>
      useConnectionStore.subscribe((now, before) => {
        if (now.connection === 'open' && before.connection === 'lost') notify();
      }),
    [],
  );
}

let isChecking = false;

/**
 * Finds out by an ordinary call whether the session has ended: an event stream does not reveal why it was
 * refused.
 */
async function checkSession(): Promise<void> {
  // The stream keeps retrying while the user is asked to sign in.
  if (isChecking) return;
  isChecking = true;
  try {
    await call(sessionEndpoints.user);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) reactToFailure(error);
  } finally {
    isChecking = false;
  }
}
