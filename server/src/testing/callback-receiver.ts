import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  id: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into messages of every shape
  data: any;
}

/** A merchant's server: verifies each callback by Standard Webhooks, and gives the answers set by a test. */
export class CallbackReceiver {
  readonly received: Received[] = [];
  /** Statuses of the next answers, in order; 200 once none is left. */
  readonly answers: number[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/callback`;
  }

  static async start(secret: string): Promise<CallbackReceiver> {
    const webhook = new Webhook(Buffer.from(secret).toString('base64'));
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        const message = webhook.verify(Buffer.concat(chunks).toString('utf8'), headers) as Omit<
          Received,
          'id'
        >;
        receiver.received.push({ ...message, id: headers['webhook-id'] ?? '' });
        response.writeHead(receiver.answers.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new CallbackReceiver(server, (server.address() as AddressInfo).port);
    return receiver;
  }

  of(tradeNo: string): Received[] {
    return this.received.filter(({ data }) => data.trade_no === tradeNo);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
