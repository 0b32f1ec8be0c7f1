import { heartbeatEvent, heartbeatMs } from '@hengfu/contract/events';
import type * as z from 'zod';

/** `lost` is reported only after an interruption that lasts (`announceAfterMs`). */
export type Connection = 'connecting' | 'open' | 'lost';

interface StreamListener<T> {
  /** `topics` is undefined after an interruption: anything may have changed. */
  onChange(topics: readonly T[] | undefined): void;
  onConnection(connection: Connection): void;
  /** The server refused the stream, as opposed to a broken connection: the session may have ended. */
  onRefused(): void;
}

/** A stream of an app. */
interface LiveStream<T> {
  path: string;
  query: Readonly<Record<string, string>>;
  event: z.ZodType<{ topics: T[] }>;
  /** When the page was read, by the server's clock. */
  readAt: number | undefined;
}

const firstRetryMs = 1_000;
const maxRetryMs = 30_000;
const announceAfterMs = 3_000;
/** Heartbeat timeout: a stream without any message for this long is dead, even if the browser says open. */
const heartbeatTimeoutMs = heartbeatMs * 2.25;
/** A hidden tab closes its stream after this long: browsers allow only six connections per host. */
const closeHiddenAfterMs = 60_000;

/**
 * Opens the tab's single event stream. The browser reconnects a broken stream by itself; a refused one is
 * retried here with exponential backoff. The first stream begins with the changes since `readAt`, when the page was read by
 * the server's clock; without it, anything may have changed. `query` is part of every request, `event` the schema of a message.
 * Returns the function that closes the stream.
 */
export function openLiveStream<T>(
  { path, query: own, event, readAt }: LiveStream<T>,
  listener: StreamListener<T>,
): () => void {
  let source: EventSource | undefined;
  let retryMs = firstRetryMs;
  let wasInterrupted = readAt === undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let announce: ReturnType<typeof setTimeout> | undefined;
  let heartbeatTimer: ReturnType<typeof setTimeout> | undefined;

  const restartHeartbeatTimer = () => {
    clearTimeout(heartbeatTimer);
    heartbeatTimer = setTimeout(() => {
      onInterrupted();
      connect();
    }, heartbeatTimeoutMs);
  };
  const onOpen = () => {
    restartHeartbeatTimer();
    clearTimeout(announce);
    announce = undefined;
    retryMs = firstRetryMs;
    listener.onConnection('open');
    if (wasInterrupted) listener.onChange(undefined);
    wasInterrupted = false;
  };
  const onInterrupted = () => {
    wasInterrupted = true;
    announce ??= setTimeout(() => listener.onConnection('lost'), announceAfterMs);
  };
  const onError = () => {
    onInterrupted();
    if (source?.readyState !== EventSource.CLOSED) return;
    listener.onRefused();
    retry = setTimeout(connect, retryMs * (0.5 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  };
  const connect = () => {
    disconnect();
    const query = new URLSearchParams(own);
    if (!wasInterrupted) query.set('since', String(readAt));
    source = new EventSource(`${path}?${query}`);
    source.onopen = onOpen;
    source.onerror = onError;
    restartHeartbeatTimer();
    source.addEventListener(heartbeatEvent, restartHeartbeatTimer);
    source.onmessage = (message) => {
      restartHeartbeatTimer();
      const topics = topicsOf(event, message.data);
      if (topics) listener.onChange(topics);
    };
  };
  const disconnect = () => {
    clearTimeout(retry);
    clearTimeout(heartbeatTimer);
    // Changes between this stream and the next one are missed.
    if (source) wasInterrupted = true;
    source?.close();
    source = undefined;
  };

  connect();
  const suspend = () => {
    disconnect();
    clearTimeout(announce);
    announce = undefined;
  };
  const unwatch = watchTab({ onNetwork: connect, onShown: () => source ?? connect(), onLongHidden: suspend });
  return () => {
    suspend();
    unwatch();
  };
}

interface TabListener {
  onNetwork(): void;
  onShown(): void;
  onLongHidden(): void;
}

/** Reports visibility changes of the tab and network changes. Returns the function that stops it. */
function watchTab({ onNetwork, onShown, onLongHidden }: TabListener): () => void {
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = () => {
    clearTimeout(hiddenTimer);
    if (document.visibilityState === 'hidden') hiddenTimer = setTimeout(onLongHidden, closeHiddenAfterMs);
    else onShown();
  };
  document.addEventListener('visibilitychange', onVisibility);
  // The browser's idea of being online is unreliable, so either event triggers a reconnect.
  addEventListener('online', onNetwork);
  addEventListener('offline', onNetwork);
  return () => {
    clearTimeout(hiddenTimer);
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', onNetwork);
    removeEventListener('offline', onNetwork);
  };
}

/** Parses the topics of a message; undefined for a message that this version does not know. */
function topicsOf<T>(event: LiveStream<T>['event'], data: unknown): readonly T[] | undefined {
  try {
    return event.safeParse(JSON.parse(String(data))).data?.topics;
  } catch {
    return undefined;
  }
}
