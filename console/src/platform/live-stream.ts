import { eventsPath, heartbeatEvent, heartbeatMs, liveEvent, type Topic } from '@hengfu/contract/events';

/** `lost` only after the stream was away long enough for a person to care. */
export type Connection = 'connecting' | 'open' | 'lost';

/** What the owner of a stream hears; `topics` undefined: the stream was away, anything may have changed. */
interface StreamListener {
  onChange(topics: readonly Topic[] | undefined): void;
  onConnection(connection: Connection): void;
  /** The server refused the stream (not a mere break): the session may be over. */
  onRefused(): void;
}

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
const announceAfterMs = 3_000;
/** A stream on which nothing came for so long is dead, whatever the browser thinks of it. */
const silentMs = heartbeatMs * 2.25;
/** A hidden tab lets go of its stream: browsers allow six connections to a host, and nobody looks. */
const hiddenPauseMs = 60_000;

/**
 * The tab's one event stream. The browser reopens a broken one by itself; a refused one is tried again here with
 * growing pauses. Returns the function that ends it.
 */
export function openLiveStream(listener: StreamListener): () => void {
  let source: EventSource | undefined;
  let retryMs = firstRetryMs;
  let wasAway = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let announce: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const onHeard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      onAway();
      connect();
    }, silentMs);
  };
  const onOpen = () => {
    onHeard();
    clearTimeout(announce);
    announce = undefined;
    retryMs = firstRetryMs;
    listener.onConnection('open');
    if (wasAway) listener.onChange(undefined);
    wasAway = false;
  };
  const onAway = () => {
    wasAway = true;
    announce ??= setTimeout(() => listener.onConnection('lost'), announceAfterMs);
  };
  const onError = () => {
    onAway();
    if (source?.readyState !== EventSource.CLOSED) return;
    listener.onRefused();
    retry = setTimeout(connect, retryMs * (0.5 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  };
  const connect = () => {
    disconnect();
    source = new EventSource(eventsPath);
    source.onopen = onOpen;
    source.onerror = onError;
    onHeard();
    source.addEventListener(heartbeatEvent, onHeard);
    source.onmessage = (message) => {
      onHeard();
      const topics = topicsOf(message.data);
      if (topics) listener.onChange(topics);
    };
  };
  const disconnect = () => {
    clearTimeout(retry);
    clearTimeout(silence);
    // What happens between this stream and the next one goes unheard.
    if (source) wasAway = true;
    source?.close();
    source = undefined;
  };

  connect();
  const rest = () => {
    disconnect();
    clearTimeout(announce);
    announce = undefined;
  };
  const unfollow = followTab({ onNetwork: connect, onShown: () => source ?? connect(), onLongHidden: rest });
  return () => {
    rest();
    unfollow();
  };
}

/** What happens to the tab and around it. */
interface TabListener {
  onNetwork(): void;
  onShown(): void;
  onLongHidden(): void;
}

/** Tells of the tab's coming into view, its being out of it for a while, and of the network. Returns what ends it. */
function followTab({ onNetwork, onShown, onLongHidden }: TabListener): () => void {
  let pause: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = () => {
    clearTimeout(pause);
    if (document.visibilityState === 'hidden') pause = setTimeout(onLongHidden, hiddenPauseMs);
    else onShown();
  };
  document.addEventListener('visibilitychange', onVisibility);
  // The browser's guess about the network is reason enough to ask anew, not to believe it.
  addEventListener('online', onNetwork);
  addEventListener('offline', onNetwork);
  return () => {
    clearTimeout(pause);
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', onNetwork);
    removeEventListener('offline', onNetwork);
  };
}

/** The topics of a message; undefined for one this version does not understand. */
function topicsOf(data: unknown): readonly Topic[] | undefined {
  try {
    return liveEvent.safeParse(JSON.parse(String(data))).data?.topics;
  } catch {
    return undefined;
  }
}
