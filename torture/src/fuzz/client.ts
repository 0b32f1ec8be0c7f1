import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { nextLoopback } from '../loopback.ts';

/** A request as it goes out, byte by byte. */
export interface Sent {
  method: string;
  /** Path and query as they stand in the request line. */
  target: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: Buffer | undefined;
}

/** What came back. */
export interface Reply {
  /** 0 where the connection was closed without an answer. */
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const answerMs = 20_000;
const signInPath = /^\/api\/(login|two-factor-challenge|user\/confirm-password)\b/;

/** One connection that is kept, so that requests come one after the other and quickly. */
export class Client {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves with the answer, whatever it is; rejects where none came in time. */
  async send(sent: Sent): Promise<Reply> {
    const first = await this.#once(sent);
    // A kept connection may have been closed just before: that tells nothing of this request.
    return first.status === 0 ? this.#once(sent) : first;
  }

  #once({ method, target, headers, body }: Sent): Promise<Reply> {
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
          timeout: answerMs,
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
        reject(new Error(`no answer within ${answerMs / 1000} s`));
      });
      // Too large a body is answered before it has been sent whole; the rest of it finds a closed door.
      outgoing.on('error', () => resolve({ status: 0, headers: {}, text: '' }));
      outgoing.end(body);
    });
  }

  /** Sends bytes that no client would, and resolves with all that comes back until the connection ends. */
  sendBytes(bytes: Buffer): Promise<string> {
    const { hostname, port } = new URL(this.#url);
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), hostname, () => socket.end(bytes));
      const done = () => {
        socket.destroy();
        resolve(Buffer.concat(chunks).toString('latin1'));
      };
      socket.setTimeout(answerMs, done);
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('close', done);
      socket.on('error', done);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
