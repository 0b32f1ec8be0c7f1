import { connect, type Socket } from 'node:net';
import { eventsPath } from '@hengfu/contract/events';
import { quotas } from '@hengfu/contract/quotas';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { Metrics } from '#observability/metrics.ts';
import { EventStream } from '../testing/event-stream.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Visitor } from '../testing/visitor.ts';

const metrics = new Metrics();
let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { metrics });
  merchant = await product.merchant('live');
  person = await product.person(merchant);
});
afterAll(() => product.close());

it('notifies an open screen of a change within two seconds', async () => {
  const stream = await EventStream.open(product.url, person);
  const startedAt = performance.now();
  await merchant.program.create('seen');
  expect(await stream.next()).toEqual({ topics: ['collections', 'dashboard'] });
  expect(performance.now() - startedAt).toBeLessThan(2000);
  await stream.cancel();
});

it('begins with what has changed since the page was read', async () => {
  const other = await EventStream.open(product.url, person);
  const since = Date.now();
  await merchant.program.create('between');
  await other.next();
  const stream = await EventStream.open(product.url, person, `?since=${since}`);
  expect((await stream.next()).topics).toEqual(expect.arrayContaining(['collections', 'dashboard']));
  await Promise.all([other.cancel(), stream.cancel()]);
});

it.each(['since=', 'since=x', 'since=-1', 'since=1e99', 'since=1&since=2'])(
  'opens a stream without a moment that makes sense: %s',
  async (query) => {
    const stream = await EventStream.open(product.url, person, `?${query}`);
    await merchant.program.create(query.replaceAll(/\W/g, '-'));
    expect(await stream.next()).toEqual({ topics: ['collections', 'dashboard'] });
    await stream.cancel();
  },
);

it('sends a merchant no changes of another merchant', async () => {
  const stream = await EventStream.open(product.url, person);
  const other = await product.merchant('unheard');
  const theirs = await EventStream.open(product.url, await product.person(other));
  await product.fund(other, '100.00');
  // By the time their screen has the settlement, ours would have it too if changes leaked.
  while (!(await theirs.next()).topics.includes('settlements'));
  await merchant.program.create('ours');
  expect(await stream.next()).toEqual({ topics: ['collections', 'dashboard'] });
  await Promise.all([stream.cancel(), theirs.cancel()]);
});

it('ends when its session ends, and not when another one does', async () => {
  const [leaving, staying] = [product.visitor(), product.visitor()];
  for (const visitor of [leaving, staying]) await visitor.signIn('merchant_admin@live.test', testPassword);
  const ending = await EventStream.open(product.url, leaving);
  const stream = await EventStream.open(product.url, staying);
  expect((await leaving.post('/api/logout')).status).toBe(204);
  await ending.ended();
  await merchant.program.create('still-open');
  expect((await stream.next()).topics).toContain('collections');
  await stream.cancel();
});

const openStreams = async () => (await metrics.eventStreams.get()).values[0]?.value ?? 0;
/** Resolves once the server has so many streams open, whoever reads them. */
const untilOpen = (count: number) => until(openStreams, (open) => open === count);

/** Asks for a stream of each visitor on one connection, without waiting for answers (HTTP pipelining). */
async function pipelineStreams(visitors: readonly Visitor[]): Promise<Socket> {
  const { hostname, port, host } = new URL(product.url);
  const socket = connect(Number(port), hostname);
  const request = ({ cookies }: Visitor) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return `GET ${eventsPath} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`;
  };
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
    socket.write(visitors.map(request).join(''));
  });
  return socket;
}

it('survives that a session ends whose stream waits behind another one on its connection', async () => {
  const [staying, leaving] = [product.visitor(), product.visitor()];
  for (const visitor of [staying, leaving]) await visitor.signIn('merchant_admin@live.test', testPassword);
  const socket = await pipelineStreams([staying, leaving]);
  const stream = await EventStream.open(product.url, staying);
  expect((await leaving.post('/api/logout')).status).toBe(204);
  for (const number of [1, 2, 3]) {
    await merchant.program.create(`behind-${number}`);
    expect((await stream.next()).topics).toContain('collections');
  }
  await stream.cancel();
  socket.destroy();
});

it('frees the streams that wait behind another one once their connection is gone', async () => {
  const visitor = product.visitor();
  await visitor.signIn('merchant_admin@live.test', testPassword);
  const half = quotas.streamsOfUser / 2;
  const sockets = [];
  for (let connection = 0; connection < 2; connection++)
    sockets.push(await pipelineStreams(Array<Visitor>(half).fill(visitor)));
  await untilOpen(quotas.streamsOfUser);
  await expect(EventStream.open(product.url, visitor)).rejects.toThrow('429');
  for (const socket of sockets) socket.destroy();
  await untilOpen(0);
  const streams = await Promise.all(
    Array.from({ length: quotas.streamsOfUser }, () => EventStream.open(product.url, visitor)),
  );
  await Promise.all(streams.map((stream) => stream.cancel()));
});

it('ends a stream whose session is found only after the server has begun to stop', async () => {
  const stopping = await TestProduct.start(inject('ownerUrl'));
  const visitor = await stopping.person(await stopping.merchant('stopping'));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let isAsked = false;
  const { database } = stopping.services;
  const asSystem = database.asSystem.bind(database);
  vi.spyOn(database, 'asSystem').mockImplementationOnce(async (...given: Parameters<typeof asSystem>) => {
    isAsked = true;
    await held;
    return asSystem(...given);
  });
  const stream = EventStream.open(stopping.url, visitor);
  await until(async () => isAsked, Boolean);
  const closed = stopping.app.close();
  // By then, the streams that were open have ended.
  await until(
    async () => stopping.app.server.listening,
    (isListening) => !isListening,
  );
  release();
  await (await stream).ended();
  await closed;
  await stopping.close();
});
