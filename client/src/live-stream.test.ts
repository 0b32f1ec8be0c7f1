import { heartbeatEvent, heartbeatMs, liveEvent, type Topic } from '@hengfu/contract/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connection, openLiveStream } from './live-stream.ts';

/** An event stream that says only what a test lets it say. */
class SilentSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: SilentSource[] = [];
  readonly url: string;
  readyState = 0;
  onopen: (() => void) | undefined;
  onerror: (() => void) | undefined;
  onmessage: ((message: { data: string }) => void) | undefined;

  constructor(url: string) {
    super();
    this.url = url;
    SilentSource.all.push(this);
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  close(): void {
    this.readyState = SilentSource.CLOSED;
  }
}

const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const network = new EventTarget();
let changes: (readonly Topic[] | undefined)[];
let connections: Connection[];
let close: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', SilentSource);
  vi.stubGlobal('document', tab);
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network));
  vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network));
  SilentSource.all = [];
  changes = [];
  connections = [];
  close = openLiveStream(
    { path: '/events', query: { merchant: 'north' }, event: liveEvent, readAt: 1000 },
    {
      onChange: (topics) => changes.push(topics),
      onConnection: (connection) => connections.push(connection),
      onRefused: () => {
        throw new Error('nobody refused the stream');
      },
    },
  );
});
afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The streams that are not closed. There is never more than one. */
const openOnes = () => SilentSource.all.filter(({ readyState }) => readyState !== SilentSource.CLOSED);

test('an open stream that falls silent is reopened by itself, and everything that screens show is asked for again', () => {
  SilentSource.all[0]?.open();
  expect([SilentSource.all[0]?.url, changes]).toEqual(['/events?merchant=north&since=1000', []]);
  // Two heartbeats are missing, and the browser says nothing.
  vi.advanceTimersByTime(2 * heartbeatMs);
  expect([SilentSource.all.length, openOnes().length]).toEqual([1, 1]);
  vi.advanceTimersByTime(heartbeatMs / 3);
  expect([SilentSource.all.length, openOnes().length]).toEqual([2, 1]);
  expect(openOnes()[0]?.url).toBe('/events?merchant=north');
  openOnes()[0]?.open();
  expect(changes).toEqual([undefined]);
  expect(connections).toEqual(['open', 'open']);
});

test('a stream that never opens is tried again and again, and the person is told', () => {
  vi.advanceTimersByTime(10 * heartbeatMs);
  expect(SilentSource.all.length).toBeGreaterThanOrEqual(4);
  expect(openOnes()).toHaveLength(1);
  expect(connections).toEqual(['lost']);
  openOnes()[0]?.open();
  expect(connections).toEqual(['lost', 'open']);
  expect(changes).toEqual([undefined]);
});

test('heartbeats and messages alike keep a stream open', () => {
  const [stream] = SilentSource.all;
  stream?.open();
  for (let beat = 0; beat < 10; beat++) {
    vi.advanceTimersByTime(heartbeatMs);
    if (beat % 2) stream?.dispatchEvent(new Event(heartbeatEvent));
    else stream?.onmessage?.({ data: '{"topics":["payouts"]}' });
  }
  expect(SilentSource.all).toHaveLength(1);
  expect(changes).toEqual(Array(5).fill(['payouts']));
});

test('a closed stream stays closed', () => {
  SilentSource.all[0]?.open();
  close();
  vi.advanceTimersByTime(10 * heartbeatMs);
  expect([SilentSource.all.length, openOnes().length]).toEqual([1, 0]);
});
