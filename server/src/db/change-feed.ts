import { topics } from '@hengfu/contract/events';
import { followedTopics } from '@hengfu/contract/staff/events';
import * as z from 'zod';
import type { Change, CommitListener } from './database.ts';
import { HostClient } from './hosts/host-client.ts';
import { RecentChanges } from './recent-changes.ts';

type Listener = (changes: readonly Change[]) => void;

const channel = 'hengfu_changes';
/** The job queue's workers listen on this channel. */
const jobsChannel = 'jobs:insert';
/** NOTIFY takes a lock that all commits share, so changes are collected for a moment and sent together. */
const collectMs = 25;
/** PostgreSQL accepts payloads below 8,000 bytes. Ours are ASCII. */
const maxMessageBytes = 7900;
/** Changes of one merchant in one part of a message, well below the limit of a message. */
const changesPerPart = 100;
const reconnectMs = 500;
/** Heartbeat of the listening connection: it would not notice a network that drops all packets. */
const heartbeatMs = 5000;
const answerTimeoutMs = 3000;

const change = z.union([
  z.enum([...topics, ...followedTopics]),
  z.templateLiteral(['sessions:', z.bigint()]),
  z.templateLiteral(['staff:', z.bigint()]),
]);
const message = z.array(z.tuple([z.string(), z.array(change)]));

/** Options of {@link ChangeFeed}: how to send, and a URL for the one connection that listens. */
export interface ChangeFeedOptions {
  send: (channel: string, text: string) => Promise<unknown>;
  listenUrl: string;
  onError: (error: unknown) => void;
}

/**
 * Tells every process which merchant's data changed, through LISTEN/NOTIFY. A message says what to reload,
 * never the new data, so a message lost in a crash leaves a screen stale but never wrong. Workers are
 * notified of jobs the same way; they also poll, and so find a job within seconds if a notification is lost.
 */
export class ChangeFeed implements CommitListener {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<bigint, Set<Listener>>();
  readonly #allListeners = new Set<Listener>();
  readonly #recent = new RecentChanges();
  readonly #jobListeners = new Set<() => void>();
  #pending = new Map<bigint, Set<Change>>();
  #readyJobs = 0;
  #timer: NodeJS.Timeout | undefined;
  #client: HostClient | undefined;
  #closed = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Starts listening, and reconnects whenever the connection is lost or the database is unavailable. */
  async start(): Promise<void> {
    if (this.#closed) return;
    const client = new HostClient({
      connectionString: this.#options.listenUrl,
      keepAlive: true,
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    client.on('notification', ({ channel: name, payload }) => {
      if (name === jobsChannel) for (const listener of this.#jobListeners) listener();
      else this.#deliver(payload ?? '');
    });
    let isLost = false;
    let heartbeat: NodeJS.Timeout | undefined;
    const reconnect = () => {
      if (isLost) return;
      isLost = true;
      clearInterval(heartbeat);
      void client.end().catch(() => {});
      if (!this.#closed) setTimeout(() => void this.start(), reconnectMs).unref();
    };
    client.on('error', reconnect);
    client.on('end', reconnect);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      await client.query(`LISTEN "${jobsChannel}"`);
      this.#client = client;
      heartbeat = setInterval(() => void client.query('select 1').catch(reconnect), heartbeatMs).unref();
      this.#recent.restart(Date.now());
      // Anything may have changed while the connection was down, so all listeners reload.
      for (const merchantId of this.#listeners.keys()) this.#notify(merchantId, topics);
      for (const listener of this.#allListeners) listener(followedTopics);
    } catch (error) {
      this.#options.onError(error);
      reconnect();
    }
  }

  /** Adds changes to the next message. */
  changed(merchantId: bigint, changes: readonly Change[]): void {
    const known = this.#pending.get(merchantId) ?? new Set();
    for (const each of changes) known.add(each);
    this.#pending.set(merchantId, known);
    this.#timer ??= setTimeout(() => void this.#flush(), collectMs);
  }

  /** Adds jobs that are ready to run to the next message to the workers. */
  jobsReady(jobs: number): void {
    this.#readyJobs += jobs;
    this.#timer ??= setTimeout(() => void this.#flush(), collectMs);
  }

  /** Calls the listener with the changes of one merchant until the returned function is called. */
  subscribe(merchantId: bigint, listener: Listener): () => void {
    const set = this.#listeners.get(merchantId) ?? new Set();
    set.add(listener);
    this.#listeners.set(merchantId, set);
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#listeners.delete(merchantId);
    };
  }

  /** Calls the listener with the changes of all merchants, and of the service, until the returned function is called. */
  subscribeToAll(listener: Listener): () => void {
    this.#allListeners.add(listener);
    return () => void this.#allListeners.delete(listener);
  }

  /** The changes of a merchant since a moment, in ms since the epoch; all topics if they are not known any more. */
  since(merchantId: bigint, sinceMs: number): readonly Change[] {
    return this.#recent.since(merchantId, sinceMs, Date.now());
  }

  /** Calls the listener when jobs become ready to run, until the returned function is called. */
  readonly onJobsReady = (listener: () => void): (() => void) => {
    this.#jobListeners.add(listener);
    return () => void this.#jobListeners.delete(listener);
  };

  /** Sends the pending changes and stops. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flush();
    await this.#client?.end().catch(() => {});
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const texts = messagesOf(this.#pending);
    this.#pending = new Map();
    const jobs = this.#readyJobs;
    this.#readyJobs = 0;
    if (jobs > 0)
      await this.#options.send(jobsChannel, JSON.stringify({ count: jobs })).catch(this.#options.onError);
    for (const text of texts) await this.#options.send(channel, text).catch(this.#options.onError);
  }

  #deliver(payload: string): void {
    const parsed = message.safeParse(parseJson(payload));
    if (!parsed.success) return;
    for (const [merchantId, changes] of parsed.data) {
      this.#recent.add(BigInt(merchantId), changes, Date.now());
      this.#notify(BigInt(merchantId), changes);
      for (const listener of this.#allListeners) listener(changes);
    }
  }

  #notify(merchantId: bigint, changes: readonly Change[]): void {
    for (const listener of this.#listeners.get(merchantId) ?? []) listener(changes);
  }
}

/** Packs changes into as few messages as possible. Suspending a merchant with many users may take several. */
function messagesOf(pending: ReadonlyMap<bigint, ReadonlySet<Change>>): string[] {
  const messages: string[] = [];
  let parts: string[] = [];
  let length = 0;
  const end = () => {
    if (parts.length > 0) messages.push(`[${parts.join(',')}]`);
    parts = [];
    length = 0;
  };
  for (const [merchantId, changes] of pending)
    for (const chunk of chunksOf([...changes], changesPerPart)) {
      const part = JSON.stringify([String(merchantId), chunk]);
      if (length + part.length > maxMessageBytes) end();
      parts.push(part);
      length += part.length + 1;
    }
  end();
  return messages;
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends one message on a channel. */
export const notifyStatement = 'select pg_notify($1, $2)';
