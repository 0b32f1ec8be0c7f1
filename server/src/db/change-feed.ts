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
/** PostgreSQL takes 8,000 bytes a message. */
const merchantsPerMessage = 100;
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
    client.on('notification', (notification) => this.#deliver(notification.payload ?? ''));
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

  /** Sends what is gathered and stops. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flush();
    await this.#client?.end().catch(() => {});
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = [...this.#pending].map(([merchantId, topics]) => [String(merchantId), [...topics]]);
    this.#pending = new Map();
    const jobs = this.#planned;
    this.#planned = 0;
    if (jobs > 0)
      await this.#options.send(jobsChannel, JSON.stringify({ count: jobs })).catch(this.#options.onError);
    for (let from = 0; from < changes.length; from += merchantsPerMessage) {
      const text = JSON.stringify(changes.slice(from, from + merchantsPerMessage));
      await this.#options.send(channel, text).catch(this.#options.onError);
    }
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The statement that sends one message on a channel. */
export const notifyStatement = 'select pg_notify($1, $2)';
