import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { nextLoopback } from '../loopback.ts';

/** A request exactly as it is sent. */
export interface Sent {
  method: string;
  /** Path and query, as in the request line. */
  target: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: Buffer | undefined;
}

/** The reply to a request. */
export interface Reply {
  /** 0 if the connection was closed without a reply. */
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const timeoutMs = 20_000;
const signInPath = /^\/api\/(staff\/)?(login|two-factor-challenge|user\/confirm-password)\b/;

/** An HTTP client with one keep-alive connection, which sends requests one after the other. */
export class Client {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request; resolves with any reply, and rejects after a timeout. */
  async send(sent: Sent): Promise<Reply> {
    const first = await this.#sendOnce(sent);
    // The server may just have closed the idle connection, which says nothing about this request.
    return first.status === 0 ? this.#sendOnce(sent) : first;
  }

  #sendOnce({ method, target, headers, body }: Sent): Promise<Reply> {
    const { hostname, port } = new URL(this.#url);
    return new Promise((resolve, reject) => {
      const length = body ? { 'content-length': String(body.length) } : {};
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path: target,
          agent: this.#agent,
          timeout: timeoutMs,
          headers: { ...length, ...headers } as Record<string, string | string[]>,
          ...(signInPath.test(target) && { agent: false as const, localAddress: nextLoopback() }),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          const done = () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
          };
          incoming.on('end', done);
          incoming.on('error', done);
        },
      );
      outgoing.on('timeout', () => {
        outgoing.destroy();
        reject(new Error(`no reply within ${timeoutMs / 1000} s`));
      });
      // The server replies to a body that is too large and closes the connection before all of it was sent.
      outgoing.on('error', () => resolve({ status: 0, headers: {}, text: '' }));
      outgoing.end(body);
    });
  }

  /** Sends raw bytes on a new connection; resolves with all bytes received until it closes or times out. */
  sendBytes(bytes: Buffer): Promise<string> {
    const { hostname, port } = new URL(this.#url);
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), hostname, () => socket.end(bytes));
      const done = () => {
        socket.destroy();
        resolve(Buffer.concat(chunks).toString('latin1'));
      };
      socket.setTimeout(timeoutMs, done);
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('close', done);
      socket.on('error', done);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
