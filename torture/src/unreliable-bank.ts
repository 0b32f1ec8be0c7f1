import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './torture.ts';

/** How the proxy handles a call. */
const outcomes = ['passes', 'late', 'reply lost', 'request lost', 'fails after', 'nonsense'] as const;
type Outcome = (typeof outcomes)[number];

const faultPercent = 30;
/** The longest delays exceed the product's timeout of 8 s. */
const lateMs = [200, 9000] as const;

/**
 * A proxy in front of a bank that loses, delays and garbles calls, and counts how often each payout was sent.
 */
export class UnreliableBank {
  readonly url: string;
  /** How often each payout was sent to the bank, by its reference. */
  readonly sendCounts = new Map<string, number>();
  readonly outcomeCounts = new Map<Outcome, number>();
  readonly #server: Server;
  #hasRecovered = false;

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
      bank.#forward(bankUrl, random, request, response).catch(() => response.destroy());
    });
    return bank;
  }

  /** Forwards every call faithfully from now on. */
  recover(): void {
    this.#hasRecovered = true;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #forward(
    bankUrl: string,
    random: Random,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = 'GET', url = '/' } = request;
    if (method === 'POST' && url === '/v1/payouts') this.#countSent(body);
    const isFaulty = !this.#hasRecovered && random.percent(faultPercent);
    const outcome = isFaulty ? random.of(outcomes.slice(1)) : 'passes';
    this.outcomeCounts.set(outcome, (this.outcomeCounts.get(outcome) ?? 0) + 1);
    if (outcome === 'request lost') return void response.destroy();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(bankUrl + url, {
      method,
      headers: headers as Record<string, string>,
      ...(method === 'POST' && { body }),
    });
    const text = await answer.text();
    if (outcome === 'late') await pause(random.between(...lateMs));
    if (outcome === 'reply lost') return void response.destroy();
    if (outcome === 'fails after') return void response.writeHead(500).end('{}');
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(outcome === 'nonsense' ? '<html>all is well</html>' : text);
  }

  #countSent(body: Buffer): void {
    const { reference } = JSON.parse(body.toString()) as { reference: string };
    this.sendCounts.set(reference, (this.sendCounts.get(reference) ?? 0) + 1);
  }
}
