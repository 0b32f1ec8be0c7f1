import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { buildApp } from '#composition/app.ts';
import { openRuntime, type Runtime } from '#composition/runtime.ts';
import { asOwner } from '#db/owner.ts';
import { Metrics } from '#observability/metrics.ts';
import { readConfig } from '../../config.ts';
import { testKey } from '../../testing/test-database.ts';
import { TestProduct, testPassword } from '../../testing/test-product.ts';
import { Visitor } from '../../testing/visitor.ts';

/** A TCP proxy in front of the database whose connections can be cut. */
class DatabaseProxy {
  readonly url: URL;
  readonly #sockets = new Set<Socket>();
  readonly #target: { host: string; port: number };
  #server = createServer();

  constructor(databaseUrl: string) {
    this.url = new URL(databaseUrl);
    this.#target = { host: this.url.hostname, port: Number(this.url.port) };
  }

  async start(port = 0): Promise<void> {
    this.#server = createServer((near) => {
      const far = connect(this.#target);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    await once(this.#server.listen(port, '127.0.0.1'), 'listening');
    this.url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async cut(): Promise<void> {
    const isClosed = once(this.#server.close(), 'close');
    for (const socket of this.#sockets) socket.destroy();
    await isClosed;
  }

  restart(): Promise<void> {
    return this.start(Number(this.url.port));
  }
}

let product: TestProduct;
let proxy: DatabaseProxy;
let runtime: Runtime;
let reader: Visitor;
let close: () => Promise<void>;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  await product.person(await product.merchant('asker'));
  proxy = new DatabaseProxy(product.ownerUrl);
  await proxy.start();
  const config = readConfig({
    APP_KEY: testKey,
    DEMO: '1',
    DATABASE_URL: proxy.url.href,
    LOG_LEVEL: 'silent',
    DATA_DIR: product.dataDirectory,
  });
  const log = pino({ level: 'silent' });
  runtime = await openRuntime(config, proxy.url.href, undefined, log);
  const { services, feed } = runtime;
  const app = await buildApp({ config, services, feed, metrics: new Metrics(), log });
  reader = new Visitor(await app.listen({ port: 0, host: '127.0.0.1' }));
  await reader.signIn('merchant_admin@asker.test', testPassword);
  close = async () => {
    await app.close();
    await runtime.close();
    await proxy.cut();
  };
});
afterAll(async () => {
  await close();
  await product.close();
});
afterEach(() => vi.restoreAllMocks());

it('keeps its counts during a database outage, and records how long it lasted', async () => {
  const { statusWatch } = runtime.services;
  expect((await reader.get('/api/merchant/status')).status).toBe(200);
  await statusWatch.flush();
  await asOwner(product.ownerUrl, (client) => client.query('delete from request_minute'));

  await proxy.cut();
  const refused = await reader.get('/api/merchant/status');
  expect(refused.status).toBe(503);
  expect(refused.json.code).toBe('unavailable');
  expect(refused.headers.get('retry-after')).toBe('2');
  await statusWatch.flush();

  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 300_000);
  await proxy.restart();
  await statusWatch.flush();
  vi.restoreAllMocks();
  const { json } = await reader.get('/api/merchant/status');
  const [incident] = json.data.incidents;
  expect(incident).toMatchObject({ component: 'database', impact: 'down', endedAt: null });
  const { rows } = await asOwner(product.ownerUrl, (client) =>
    client.query('select sum(failed)::integer as failed from request_minute'),
  );
  expect(rows[0].failed).toBe(1);
});
