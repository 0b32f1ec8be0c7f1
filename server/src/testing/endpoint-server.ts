import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A message as an endpoint has received it. */
export interface ReceivedMessage {
  headers: Record<string, string>;
  body: string;
}

/** A server behind a callback endpoint, which keeps what it receives and answers as a test says. */
export class EndpointServer {
  readonly received: ReceivedMessage[] = [];
  status = 200;
  reply = '';
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  static async start(): Promise<EndpointServer> {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        endpoint.received.push({
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString('utf8'),
        });
        response.writeHead(endpoint.status, { 'content-type': 'text/plain' }).end(endpoint.reply);
      });
    };
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = new EndpointServer(server);
    return endpoint;
  }

  /** The messages whose body contains a text, such as an order's number. */
  about(text: string): ReceivedMessage[] {
    return this.received.filter(({ body }) => body.includes(text));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Whether a secret alone verifies a message. */
export function isSignedBy({ headers, body }: ReceivedMessage, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
