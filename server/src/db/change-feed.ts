import { liveEvent, type Topic } from '@hengfu/contract/events';
import pg from 'pg';
import * as z from 'zod';

type Listener = (topics: readonly Topic[]) => void;

const channel = 'hengfu_changes';
/** NOTIFY takes a lock that all commits share, so changes are gathered for a moment and sent in one message. */
const gatherMs = 25;
/** PostgreSQL takes 8,000 bytes a message. */
const merchantsPerMessage = 100;
const reconnectMs = 500;

const message = z.array(z.tuple([z.string(), liveEvent.shape.topics]));

/** What {@link ChangeFeed} needs: where to send, and a URL for the one connection that listens. */
export interface ChangeFeedOptions {
  send: (text: string) => Promise<unknown>;
  listenUrl: string;
  onError: (error: unknown) => void;
}

/**
 * Tells every process of the product which merchant's data changed, through LISTEN/NOTIFY. A message says what to ask
 * again, never what it became; one that is lost in a crash costs a screen its freshness, not its truth.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<bigint, Set<Listener>>();
  #pending = new Map<bigint, Set<Topic>>();
  #timer: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  #closed = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Starts to listen, and goes on trying while the database is away. */
  async start(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client({ connectionString: this.#options.listenUrl, keepAlive: true });
    client.on('notification', (notification) => this.#deliver(notification.payload ?? ''));
    let lost = false;
    const again = () => {
      if (lost) return;
      lost = true;
      void client.end().catch(() => {});
      if (!this.#closed) setTimeout(() => void this.start(), reconnectMs).unref();
    };
    client.on('error', again);
    client.on('end', again);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.#client = client;
      // Whatever changed while nobody listened: everyone asks again.
      for (const merchantId of this.#listeners.keys())
        this.#tell(merchantId, liveEvent.shape.topics.element.options);
    } catch (error) {
      this.#options.onError(error);
      again();
    }
  }

  /** Puts a change into the next message. */
  publish(merchantId: bigint, topics: readonly Topic[]): void {
    const known = this.#pending.get(merchantId) ?? new Set();
    for (const topic of topics) known.add(topic);
    this.#pending.set(merchantId, known);
    this.#timer ??= setTimeout(() => void this.#flush(), gatherMs);
  }

  /** Calls back with the topics of one merchant until the returned function is called. */
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
    for (let from = 0; from < changes.length; from += merchantsPerMessage) {
      const text = JSON.stringify(changes.slice(from, from + merchantsPerMessage));
      await this.#options.send(text).catch(this.#options.onError);
    }
  }

  #deliver(payload: string): void {
    const parsed = message.safeParse(parseJson(payload));
    if (!parsed.success) return;
    for (const [merchantId, topics] of parsed.data) this.#tell(BigInt(merchantId), topics);
  }

  #tell(merchantId: bigint, topics: readonly Topic[]): void {
    for (const listener of this.#listeners.get(merchantId) ?? []) listener(topics);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The statement that sends one message. */
export const notifyStatement = `select pg_notify('${channel}', $1)`;
