import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './torture.ts';

/** What happens to a call on its way to the bank and back. */
const ways = ['passes', 'late', 'reply lost', 'request lost', 'fails after', 'nonsense'] as const;
type Way = (typeof ways)[number];

const oddPercent = 30;
/** Some of them are later than the product waits (8 s). */
const lateMs = [200, 9000] as const;

/** Stands before a bank and loses, delays and garbles calls; counts how often each payout was sent. */
export class UnreliableBank {
  readonly url: string;
  /** How often an order to pay was on its way to the bank, by its reference. */
  readonly sent = new Map<string, number>();
  readonly happened = new Map<Way, number>();
  readonly #server: Server;
  #isWell = false;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(bankUrl: string, random: Random): Promise<UnreliableBank> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const bank = new UnreliableBank(server);
    server.on('request', (request, response) => {
      bank.#carry(bankUrl, random, request, response).catch(() => response.destroy());
    });
    return bank;
  }

  /** From now on every call passes. */
  recover(): void {
    this.#isWell = true;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #carry(
    bankUrl: string,
    random: Random,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = 'GET', url = '/' } = request;
    if (method === 'POST' && url === '/v1/payouts') this.#noteSent(body);
    const way = !this.#isWell && random.percent(oddPercent) ? random.of(ways.slice(1)) : 'passes';
    this.happened.set(way, (this.happened.get(way) ?? 0) + 1);
    if (way === 'request lost') return void response.destroy();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(bankUrl + url, {
      method,
      headers: headers as Record<string, string>,
      ...(method === 'POST' && { body }),
    });
    const text = await answer.text();
    if (way === 'late') await pause(random.between(...lateMs));
    if (way === 'reply lost') return void response.destroy();
    if (way === 'fails after') return void response.writeHead(500).end('{}');
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(way === 'nonsense' ? '<html>all is well</html>' : text);
  }

  #noteSent(body: Buffer): void {
    const { reference } = JSON.parse(body.toString()) as { reference: string };
    this.sent.set(reference, (this.sent.get(reference) ?? 0) + 1);
  }
}
