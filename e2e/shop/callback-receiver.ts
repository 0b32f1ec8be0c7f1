import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Order } from './shop-client.ts';

/** A callback with a valid signature. */
export interface Message {
  /** `webhook-id`: the same on every attempt. */
  id: string;
  type: string;
  /** When it happened. */
  timestamp: string;
  data: Order;
}

export interface ReceiverOptions {
  /** The access key's secret. */
  secret: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Returns the status of the reply to a valid message; 204 by default. */
  answer?: (message: Message) => number | Promise<number>;
}

interface Waiter {
  matches: (message: Message) => boolean;
  resolve: (message: Message) => void;
}

const defaultWaitMs = 20_000;

/** Receives callbacks as a shop does: verifies and keeps the messages, and lets tests wait for them. */
export class CallbackReceiver {
  /** Every valid message in the order of arrival, including repeated ones. */
  readonly messages: Message[] = [];
  /** Number of requests refused because of an invalid signature. */
  refused = 0;
  readonly #options: ReceiverOptions;
  readonly #webhook: Webhook;
  readonly #server: Server;
  readonly #waiters = new Set<Waiter>();
  #unclaimed: Message[] = [];

  private constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#webhook = new Webhook(`whsec_${Buffer.from(options.secret).toString('base64')}`);
    this.#server = createServer((request, response) => {
      this.#receive(request).then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(500).end(),
      );
    });
  }

  /** Starts a receiver on 127.0.0.1. Pass its {@link url} as `notifyUrl`. */
  static async start(options: ReceiverOptions): Promise<CallbackReceiver> {
    const receiver = new CallbackReceiver(options);
    receiver.#server.listen(options.port ?? 0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callback`;
  }

  /**
   * Returns the next message of a type that no earlier call has returned, waiting for up to `timeoutMs`.
   * `outTradeNo` selects one order. Rejects on timeout.
   */
  next(type: string, { outTradeNo, timeoutMs = defaultWaitMs }: NextOptions = {}): Promise<Message> {
    const matches = ({ type: found, data }: Message) =>
      found === type && (outTradeNo === undefined || data.out_trade_no === outTradeNo);
    const known = this.#unclaimed.find(matches);
    if (known) {
      this.#unclaimed = this.#unclaimed.filter((message) => message !== known);
      return Promise.resolve(known);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        const seen = this.messages.map((message) => message.type).join(', ') || 'nothing';
        reject(new Error(`no ${type} within ${timeoutMs} ms; received: ${seen}`));
      }, timeoutMs);
      const waiter: Waiter = {
        matches,
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #receive(request: IncomingMessage): Promise<number> {
    const message = this.#read(await bodyOf(request), request);
    if (!message) {
      this.refused += 1;
      return 401;
    }
    const status = (await this.#options.answer?.(message)) ?? 204;
    this.messages.push(message);
    const waiter = [...this.#waiters].find(({ matches }) => matches(message));
    if (waiter) {
      this.#waiters.delete(waiter);
      waiter.resolve(message);
    } else this.#unclaimed.push(message);
    return status;
  }

  #read(body: string, request: IncomingMessage): Message | undefined {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    try {
      const { type, timestamp, data } = this.#webhook.verify(body, headers) as Omit<Message, 'id'>;
      return { id: headers['webhook-id'] ?? '', type, timestamp, data };
    } catch (error) {
      if (error instanceof WebhookVerificationError) return undefined;
      throw error;
    }
  }
}

export interface NextOptions {
  outTradeNo?: string;
  timeoutMs?: number;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
