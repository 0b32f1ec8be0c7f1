import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { TestProduct } from '../testing/test-product.ts';
import { drainConnections } from './connection-draining.ts';

let product: TestProduct;
let closed: Promise<unknown> | undefined;
/** Keeps its connection open between calls, as a load balancer does. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { env: { DRAIN_SECONDS: '0.5' } });
});
afterAll(async () => {
  agent.destroy();
  await product.close();
});

async function ask(path: string): Promise<IncomingMessage> {
  const [reply] = await once(request(product.url + path, { agent }).end(), 'response');
  return reply.resume();
}

it('a stopping server still answers requests, and announces that it closes their connections', async () => {
  const before = await ask('/readyz');
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive']);
  await once(before, 'end');
  closed = product.app.close();
  const draining = await ask('/healthz');
  expect([draining.statusCode, draining.headers.connection]).toEqual([200, 'close']);
  expect((await ask('/readyz')).statusCode).toBe(503);
  // Pages that would embed the replies to their first calls come without.
  for (const page of ['/dashboard', '/pay/unknown', '/pay/link/unknown'])
    expect([page, (await ask(page)).statusCode]).toEqual([page, 200]);
  await closed;
  await expect(ask('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

describe('a connection that would hold up the stop', () => {
  afterEach(() => vi.useRealTimers());

  /** Stops a server to which a client has sent this over its only connection. */
  async function stopAfter(sent: string) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const app = Fastify({ forceCloseConnections: 'idle' });
    app.post('/', async () => 'done');
    drainConnections(app, 0);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const accepted = once(app.server, 'connection');
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    const [socket] = await accepted;
    client.resume().on('error', () => undefined);
    if (sent !== '') {
      client.write(sent);
      await until(() => socket.bytesRead > 0);
    }
    const stopped = app.close();
    await until(() => !app.server.listening);
    return { stopped, isOpen: () => !socket.destroyed };
  }

  /** Waits for something that happens without timers. */
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await setImmediate();
  }

  it('is closed after a second if nothing ever came over it', async () => {
    const { stopped, isOpen } = await stopAfter('');
    await vi.advanceTimersByTimeAsync(900);
    expect(isOpen()).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    await stopped;
  });

  it.each(['POST / HTTP/1.1\r\n', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{'])(
    'is closed after a minute if the rest of a request never comes: %j',
    async (sent) => {
      const { stopped, isOpen } = await stopAfter(sent);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(isOpen()).toBe(true);
      await vi.advanceTimersByTimeAsync(1_000);
      await stopped;
    },
  );
});
