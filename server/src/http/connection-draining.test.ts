import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let closed: Promise<unknown> | undefined;
/** Keeps its connection open between two calls, as a load balancer does. */
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

it('a server that is told to stop answers what still comes, and says that it leaves', async () => {
  const before = await ask('/readyz');
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive']);
  await once(before, 'end');
  closed = product.app.close();
  const over = await ask('/healthz');
  expect([over.statusCode, over.headers.connection]).toEqual([200, 'close']);
  expect((await ask('/readyz')).statusCode).toBe(503);
  await closed;
  await expect(ask('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
