import type { Topic } from '@hengfu/contract/events';
import { sessionEndpoints } from '@hengfu/contract/session';
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { ApiError } from './api-error.ts';
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
/** A page's data may have been fetched so long before the page listens: a change in between would go unheard. */
const recentMs = 5000;
const useConnectionStore = create<{ connection: Connection }>(() => ({ connection: 'connecting' }));

/** Opens the tab's event stream; the shell does so while it is on screen. Returns the function that ends it. */
export function startLive(): () => void {
  return openLiveStream({
    onConnection: (connection) => useConnectionStore.setState({ connection }),
    onChange: (topics) => {
      for (const topic of topics ?? []) changedAt.set(topic, performance.now());
      for (const listener of listeners) {
        if (!topics || listener.topics.some((topic) => topics.includes(topic))) listener.call();
      }
    },
    onRefused: () => void checkSession(),
  });
}

/**
 * Calls `onChange` when data of one of the topics changed (at once, then at most twice a second), and after the
 * connection was away. Screens invalidate their query keys in it.
 */
export function useLive(topics: readonly Topic[], onChange: () => void): void {
  const notify = useEffectEvent(onChange);
  const joined = topics.join();
  useEffect(() => {
    const paced = coalesce(notify, everyMs);
    const listener: Listener = { topics: joined.split(',') as Topic[], call: paced.call };
    listeners.add(listener);
    const isRecent = (topic: Topic) => performance.now() - (changedAt.get(topic) ?? -recentMs) < recentMs;
    if (listener.topics.some(isRecent)) paced.call();
    return () => {
      paced.cancel();
      listeners.delete(listener);
    };
  }, [joined]);
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
