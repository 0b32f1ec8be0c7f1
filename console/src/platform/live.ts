import { topics as allTopics, type Topic } from '@hengfu/contract/events';
import { sessionEndpoints } from '@hengfu/contract/session';
import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { ApiError } from './api-error.ts';
import { askAgain } from './ask-again.ts';
import { coalesce } from './coalesce.ts';
import { reactToFailure } from './failures.ts';
import { call } from './http.ts';
import { type Connection, openLiveStream } from './live-stream.ts';

/** A screen hears of changes at most this often. */
const everyMs = 500;

interface Listener {
  topics: readonly Topic[];
  call(): void;
}

const listeners = new Set<Listener>();
/** When each topic last changed, by this browser's clock. */
const changedAt = new Map<Topic, number>();
/** An answer may have been read so long before it came. */
const recentMs = 5000;
const useConnectionStore = create<{ connection: Connection }>(() => ({ connection: 'connecting' }));

/** Opens the tab's event stream; the shell does so while it is on screen. Returns the function that ends it. */
export function startLive(): () => void {
  return openLiveStream({
    onConnection: (connection) => useConnectionStore.setState({ connection }),
    onChange: (topics) => {
      for (const topic of topics ?? allTopics) changedAt.set(topic, Date.now());
      for (const listener of listeners) {
        if (!topics || listener.topics.some((topic) => topics.includes(topic))) listener.call();
      }
    },
    onRefused: () => void checkSession(),
  });
}

/**
 * Asks again for the queries under some keys when data of one of the topics changed (at once, then at most twice a
 * second), and after the connection was away. What changed while nobody listened (the page was away, or its data was
 * kept from before) is asked for again at first.
 */
export function useLive(topics: readonly Topic[], ...queryKeys: readonly QueryKey[]): void {
  const client = useQueryClient();
  const ask = useEffectEvent((predicate?: (query: Query) => boolean) => {
    for (const queryKey of queryKeys) askAgain(client, queryKey, predicate);
  });
  const joined = topics.join();
  useEffect(() => {
    const paced = coalesce(() => ask(), everyMs);
    const listener: Listener = { topics: joined.split(',') as Topic[], call: paced.call };
    listeners.add(listener);
    const changed = Math.max(...listener.topics.map((topic) => changedAt.get(topic) ?? 0));
    ask(({ state }) => isOlder(state.dataUpdatedAt, changed, Date.now()));
    return () => {
      paced.cancel();
      listeners.delete(listener);
    };
  }, [joined]);
}

/**
 * Whether data may be from before a change, all in milliseconds by this browser's clock; 0 as `fetched`: it is on its
 * way. An answer may have been read a while before it came.
 */
export function isOlder(fetched: number, changed: number, now: number): boolean {
  return (fetched || now) < changed + recentMs;
}

/** How the event stream stands, for the "connection lost" banner. */
export function useConnection(): Connection {
  return useConnectionStore((state) => state.connection);
}

/** Calls `onReturn` when a lost connection is back. */
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

/** An event stream can't tell why it was refused; an ordinary call can. Only an ended session matters here. */
async function checkSession(): Promise<void> {
  // The stream goes on trying while the reader is asked to sign in.
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
