import { ApiError } from '@hengfu/client/api-error.ts';
import { askAgain } from '@hengfu/client/ask-again.ts';
import { coalesce } from '@hengfu/client/coalesce.ts';
import { type Connection, openLiveStream } from '@hengfu/client/live-stream.ts';
import { topics as allTopics, eventsPath, liveEvent, type Topic } from '@hengfu/contract/events';
import { sessionEndpoints } from '@hengfu/contract/session';
import { merchantParameter } from '@hengfu/contract/workplaces';
import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { boot } from './boot.ts';
import { reactToFailure } from './failures.ts';
import { call } from './http.ts';
import { pageMerchant } from './session-store.ts';

/** A screen is notified of changes at most this often. */
const notifyIntervalMs = 500;

interface Listener {
  topics: readonly Topic[];
  call(): void;
}

const listeners = new Set<Listener>();
/** When each topic last changed, by this browser's clock. */
const changedAt = new Map<Topic, number>();
/** A reply may be this much older than its arrival. */
const maxReplyAgeMs = 5000;
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
      onChange: (topics) => {
        for (const topic of topics ?? allTopics) changedAt.set(topic, Date.now());
        for (const listener of listeners) {
          if (!topics || listener.topics.some((topic) => topics.includes(topic))) listener.call();
        }
      },
      onRefused: () => void checkSession(),
    },
  );
}

/**
 * Refetches the queries under some keys when one of the topics changes (at once, then at most twice a
 * second), and after the connection was interrupted. On mount, refetches data that may have changed while
 * nothing was listening (the page was hidden, or its data was cached).
 */
export function useLive(topics: readonly Topic[], ...queryKeys: readonly QueryKey[]): void {
  const client = useQueryClient();
  const refetch = useEffectEvent((predicate?: (query: Query) => boolean) => {
    for (const queryKey of queryKeys) askAgain(client, queryKey, predicate);
  });
  const joined = topics.join();
  useEffect(() => {
    const throttled = coalesce(() => refetch(), notifyIntervalMs);
    const listener: Listener = { topics: joined.split(',') as Topic[], call: throttled.call };
    listeners.add(listener);
    const changedMs = Math.max(...listener.topics.map((topic) => changedAt.get(topic) ?? 0));
    refetch(({ state }) => mayBeStale(state.dataUpdatedAt, changedMs, Date.now()));
    return () => {
      throttled.cancel();
      listeners.delete(listener);
    };
  }, [joined]);
}

/**
 * Whether data may predate a change. All arguments are in milliseconds by this browser's clock; `fetchedMs` 0
 * means that the data is being fetched. A reply may have been read a while before it arrived.
 */
export function mayBeStale(fetchedMs: number, changedMs: number, nowMs: number): boolean {
  return (fetchedMs || nowMs) < changedMs + maxReplyAgeMs;
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
