import { topics } from '@hengfu/contract/events';
import pg from 'pg';
import * as z from 'zod';
import type { Change, CommitListener } from './database.ts';

type Listener = (changes: readonly Change[]) => void;

const channel = 'hengfu_changes';
/** What the workers of the queue listen to. */
const jobsChannel = 'jobs:insert';
/** NOTIFY takes a lock that all commits share, so changes are gathered for a moment and sent in one message. */
const gatherMs = 25;
/** PostgreSQL takes 8,000 bytes a message; what is sent is ASCII. */
const longestMessage = 7900;
/** Changes of one merchant that stay together: well below what a message takes. */
const changesPerPart = 100;
const reconnectMs = 500;
/** How often the connection that listens is tried: of a network that swallows everything it would hear nothing. */
const beatMs = 5000;
const answerTimeoutMs = 3000;

const change = z.union([z.enum(topics), z.templateLiteral(['sessions:', z.bigint()])]);
const message = z.array(z.tuple([z.string(), z.array(change)]));

/** What {@link ChangeFeed} needs: where to send, and a URL for the one connection that listens. */
export interface ChangeFeedOptions {
  send: (channel: string, text: string) => Promise<unknown>;
  listenUrl: string;
  onError: (error: unknown) => void;
}

/**
 * Tells every process of the product which merchant's data changed, through LISTEN/NOTIFY. A message says what to ask
 * again, never what it became; one that is lost in a crash costs a screen its freshness, not its truth. Workers hear of
 * jobs the same way; of those that they do not hear of they find out by looking, some seconds later at the most.
 */
export class ChangeFeed implements CommitListener {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<bigint, Set<Listener>>();
  readonly #plannedListeners = new Set<() => void>();
  #pending = new Map<bigint, Set<Change>>();
  #planned = 0;
  #timer: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  #closed = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Starts to listen, and goes on trying while the database is away. */
  async start(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client({
      connectionString: this.#options.listenUrl,
      keepAlive: true,
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    client.on('notification', ({ channel: name, payload }) => {
      if (name === jobsChannel) for (const listener of this.#plannedListeners) listener();
      else this.#deliver(payload ?? '');
    });
    let lost = false;
    let beat: NodeJS.Timeout | undefined;
    const again = () => {
      if (lost) return;
      lost = true;
      clearInterval(beat);
      void client.end().catch(() => {});
      if (!this.#closed) setTimeout(() => void this.start(), reconnectMs).unref();
    };
    client.on('error', again);
    client.on('end', again);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      await client.query(`LISTEN "${jobsChannel}"`);
      this.#client = client;
      beat = setInterval(() => void client.query('select 1').catch(again), beatMs).unref();
      // Whatever changed while nobody listened: everyone asks again.
      for (const merchantId of this.#listeners.keys()) this.#tell(merchantId, topics);
    } catch (error) {
      this.#options.onError(error);
      again();
    }
  }

  /** Puts a change into the next message. */
  changed(merchantId: bigint, changes: readonly Change[]): void {
    const known = this.#pending.get(merchantId) ?? new Set();
    for (const each of changes) known.add(each);
    this.#pending.set(merchantId, known);
    this.#timer ??= setTimeout(() => void this.#flush(), gatherMs);
  }

  /** Puts jobs that may begin at once into the next message to the workers. */
  planned(jobs: number): void {
    this.#planned += jobs;
    this.#timer ??= setTimeout(() => void this.#flush(), gatherMs);
  }

  /** Calls back with the changes of one merchant until the returned function is called. */
  subscribe(merchantId: bigint, listener: Listener): () => void {
    const set = this.#listeners.get(merchantId) ?? new Set();
    set.add(listener);
    this.#listeners.set(merchantId, set);
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#listeners.delete(merchantId);
    };
  }

  /** Calls back when jobs were planned that may begin at once, until the returned function is called. */
  readonly onPlanned = (listener: () => void): (() => void) => {
    this.#plannedListeners.add(listener);
    return () => void this.#plannedListeners.delete(listener);
  };

  /** Sends what is gathered and stops. */
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
    const jobs = this.#planned;
    this.#planned = 0;
    if (jobs > 0)
      await this.#options.send(jobsChannel, JSON.stringify({ count: jobs })).catch(this.#options.onError);
    for (const text of texts) await this.#options.send(channel, text).catch(this.#options.onError);
  }

  #deliver(payload: string): void {
    const parsed = message.safeParse(parseJson(payload));
    if (!parsed.success) return;
    for (const [merchantId, changes] of parsed.data) this.#tell(BigInt(merchantId), changes);
  }

  #tell(merchantId: bigint, changes: readonly Change[]): void {
    for (const listener of this.#listeners.get(merchantId) ?? []) listener(changes);
  }
}

/** Changes as messages, as few as fit: a suspended merchant's people may need several. */
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
    for (const some of chunksOf([...changes], changesPerPart)) {
      const part = JSON.stringify([String(merchantId), some]);
      if (length + part.length > longestMessage) end();
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

/** The statement that sends one message on a channel. */
export const notifyStatement = 'select pg_notify($1, $2)';
