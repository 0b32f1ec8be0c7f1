import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureOf } from '@hengfu/server/http/signature.ts';
import { Visitor } from '@hengfu/server/testing/visitor.ts';
import { nextLoopback } from '../loopback.ts';
import type { Finding } from './findings.ts';

interface ProxyOptions {
  /** The product's address. */
  url: string;
  person: { email: string; password: string };
  key: { id: string; secret: string };
}

interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** Sign-in calls, which are scanned without a session. */
const anonymousPath = /^\/api\/(login|two-factor-challenge)\b/;
/** Request headers that the proxy sets or drops instead of forwarding the scanner's. */
const replacedHeaders = [
  'host',
  'connection',
  'cookie',
  'x-xsrf-token',
  'content-length',
  'transfer-encoding',
  'origin',
];

/**
 * A loopback proxy that authenticates a scanner. Console calls get the session and XSRF token of a person,
 * who signs in again whenever the scanner has ended the session; Open API calls get a fresh signature over
 * the changed request. Every 5xx reply becomes a finding.
 */
export class ScanProxy {
  readonly url: string;
  readonly findings: Finding[] = [];
  /** Number of replies by status. */
  readonly statuses = new Map<number, number>();
  readonly #options: ProxyOptions;
  readonly #server: Server;
  #person: Promise<Visitor>;

  private constructor(server: Server, options: ProxyOptions) {
    this.#server = server;
    this.#options = options;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#person = this.#signIn();
    server.on('request', (incoming, outgoing) => {
      this.#forward(incoming).then(
        ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
        (error: Error) => outgoing.destroy(error),
      );
    });
  }

  static async open(options: ProxyOptions): Promise<ScanProxy> {
    const server = createServer({ maxHeaderSize: 64 * 1024 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new ScanProxy(server, options);
    await proxy.#person;
    return proxy;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Reads a path as the person, without a scanner, to find values for targets. */
  async get(path: string): Promise<unknown> {
    return (await (await this.#person).get(path)).json;
  }

  async #signIn(): Promise<Visitor> {
    const { url, person } = this.#options;
    const visitor = new Visitor(url);
    const { status, json } = await visitor.signIn(person.email, person.password);
    if (status !== 200) throw new Error(`the scan’s user can’t sign in: ${status} ${JSON.stringify(json)}`);
    return visitor;
  }

  async #forward(incoming: IncomingMessage): Promise<Answer> {
    const body = Buffer.concat(await incoming.toArray());
    const path = incoming.url ?? '/';
    const person = this.#person;
    let answer = await this.#send(incoming, path, body, await person);
    if (answer.status === 401 && !path.startsWith('/openapi/') && !anonymousPath.test(path)) {
      // The scanner has ended the session. Concurrent calls share one new sign-in.
      if (this.#person === person) this.#person = this.#signIn();
      answer = await this.#send(incoming, path, body, await this.#person);
    }
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500)
      this.findings.push({
        by: 'proxy',
        kind: `answer ${answer.status}`,
        method: incoming.method ?? '',
        path,
        parameter: '',
        detail: `${body.subarray(0, 200)} -> ${answer.body.subarray(0, 200)}`,
      });
    return answer;
  }

  async #send(incoming: IncomingMessage, path: string, body: Buffer, person: Visitor): Promise<Answer> {
    const method = incoming.method ?? 'GET';
    const forwarded = Object.entries(incoming.headers).filter(([name]) => !replacedHeaders.includes(name));
    const headers: OutgoingHttpHeaders = {
      ...Object.fromEntries(forwarded),
      ...(path.startsWith('/openapi/')
        ? this.#signed(method, path, body)
        : await this.#asPerson(path, person)),
      'content-length': body.length,
    };
    const from = anonymousPath.test(path) ? { localAddress: nextLoopback() } : {};
    const outgoing = request(this.#options.url, { method, path, headers, ...from }).end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    // An event stream never ends, so its body is not read.
    const isStream = response.headers['content-type']?.startsWith('text/event-stream');
    if (isStream) response.destroy();
    const content = isStream ? Buffer.alloc(0) : withoutRequestId(Buffer.concat(await response.toArray()));
    const { 'transfer-encoding': _, ...kept } = response.headers;
    return { status: response.statusCode ?? 0, headers: kept, body: content };
  }

  #signed(method: string, pathWithQuery: string, body: Buffer): OutgoingHttpHeaders {
    const { id, secret } = this.#options.key;
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
    const signature = signatureOf(secret, { method, pathWithQuery, timestamp, nonce, body });
    return { 'x-key': id, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature };
  }

  async #asPerson(path: string, person: Visitor): Promise<OutgoingHttpHeaders> {
    const { cookies } = anonymousPath.test(path) ? await this.#newVisitor() : person;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { cookie, 'x-xsrf-token': cookies.get('XSRF-TOKEN') };
  }

  /** Returns a visitor who is not signed in but has an XSRF token. */
  async #newVisitor(): Promise<Visitor> {
    const visitor = new Visitor(this.#options.url);
    await visitor.get('/api/csrf-cookie');
    return visitor;
  }
}

/** Zeroes the request id: scanners compare replies, and it would make each reply different. */
function withoutRequestId(body: Buffer): Buffer {
  const text = body.toString('latin1').replaceAll(/("request_id":")[0-9a-f-]{36}/g, `$1${'0'.repeat(36)}`);
  return Buffer.from(text, 'latin1');
}
