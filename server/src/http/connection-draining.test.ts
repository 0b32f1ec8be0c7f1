import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../testing/test-product.ts';

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
  await closed;
  await expect(ask('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
