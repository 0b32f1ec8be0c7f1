import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { afterReply } from '#observability/after-reply.ts';
import { Metrics } from '#observability/metrics.ts';
import { traceCalls } from '#observability/tracing/calls.ts';
import { startTraces } from '#observability/tracing/exporter.ts';
import { TraceCollector } from '../testing/trace-collector.ts';
import { until } from '../testing/until.ts';
import { observeCalls, timeCalls } from './observe-calls.ts';
import { logSignedCalls } from './request-log/request-log.ts';

let app = Fastify();
afterEach(() => app.close());

/** Listens with a call that is done, and one whose caller has hung up when it is done. Returns the port. */
async function listen(): Promise<number> {
  const replyToNobody = async ({ raw }: FastifyRequest) => {
    raw.socket.destroy();
    if (!raw.socket.closed) await once(raw.socket, 'close');
    return 'done';
  };
  app.get('/openapi/done', async () => 'done');
  app.get('/openapi/gone', replyToNobody);
  app.get('/openapi/leaving', async (request, reply) => {
    reply.raw.once('prefinish', () => request.raw.socket.destroy());
    return 'done';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

async function call(port: number, path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Key: ak_1\r\n\r\n`);
  socket.resume();
  await once(socket, 'close');
}

const paths = ['/openapi/done', '/openapi/gone', '/openapi/leaving'];

it('comes once after each reply, also if there is nobody to send it to', async () => {
  app = Fastify();
  const ended: string[] = [];
  afterReply(app, ({ url }, { statusCode }) => void ended.push(`${url} ${statusCode}`));
  const port = await listen();
  for (const path of paths) {
    await call(port, path);
    await until(
      async () => ended,
      (all) => all.includes(`${path} 200`),
    );
  }
  expect(ended).toEqual(paths.map((path) => `${path} 200`));
});

it('logs signed calls whose caller has hung up', async () => {
  app = Fastify();
  const logged: string[] = [];
  app.decorate('maskedUrl', (url: string) => url);
  timeCalls(app);
  logSignedCalls(app, {
    add: ({ keyId }, _bytes, build) => {
      const { path, status } = build();
      logged.push(`${keyId} ${path} ${status}`);
    },
    addCreated: () => false,
    stop: async () => {},
  });
  const port = await listen();
  for (const path of paths) await call(port, path);
  await until(
    async () => logged,
    ({ length }) => length === paths.length,
  );
  expect(logged).toEqual(paths.map((path) => `ak_1 ${path} 200`));
});

it('logs the reply of a call whose caller hangs up while a hook of the reply waits', async () => {
  app = Fastify();
  const logged: string[] = [];
  app.decorate('maskedUrl', (url: string) => url);
  timeCalls(app);
  afterReply(app, () => {});
  app.addHook('onSend', async ({ raw, url }) => {
    if (url !== '/openapi/refused') return;
    raw.socket.destroy();
    if (!raw.socket.closed) await once(raw.socket, 'close');
  });
  logSignedCalls(app, {
    add: (_facts, _bytes, build) => void logged.push(String(build().code)),
    addCreated: () => false,
    stop: async () => {},
  });
  app.get('/openapi/refused', async (_request, reply) => reply.code(422).send({ code: 'validation_failed' }));
  await call(await listen(), '/openapi/refused');
  await until(
    async () => logged,
    ({ length }) => length > 0,
  );
  expect(logged).toEqual(['validation_failed']);
});

it('lets no work be kept from its turn by another that fails', async () => {
  app = Fastify();
  const done: string[] = [];
  afterReply(app, () => {
    throw new Error('no disk');
  });
  afterReply(app, ({ url }) => void done.push(url));
  await call(await listen(), '/openapi/done');
  await until(
    async () => done,
    ({ length }) => length > 0,
  );
  expect(done).toEqual(['/openapi/done']);
});

it('counts calls whose caller has hung up in the figures of the service', async () => {
  app = Fastify();
  let answered = 0;
  timeCalls(app);
  observeCalls(app, (_, isFailed) => {
    if (!isFailed) answered++;
  });
  const port = await listen();
  for (const path of paths) await call(port, path);
  await until(
    async () => answered,
    (count) => count === paths.length,
  );
});

it('measures calls whose caller has hung up', async () => {
  app = Fastify();
  const metrics = new Metrics();
  timeCalls(app);
  metrics.observe(app, ({ servedMs }) => servedMs);
  const port = await listen();
  for (const path of paths) await call(port, path);
  const counted = (text: string, path: string) =>
    text.includes(`hengfu_http_request_seconds_count{method="GET",route="${path}",status="200"} 1`);
  await until(
    () => metrics.text(),
    (text) => paths.every((path) => counted(text, path)),
  );
});

it('records calls whose caller has hung up in traces', async () => {
  const collector = await TraceCollector.start();
  const endTraces = startTraces(collector.url, { warn: expect.unreachable });
  app = Fastify();
  timeCalls(app);
  traceCalls(app, (url) => url);
  const port = await listen();
  for (const path of paths) await call(port, path);
  const names = await until(
    async () => collector.spans.map(({ name }) => name),
    (known) => known.length >= paths.length,
    30_000,
  );
  expect(names).toEqual(paths.map((path) => `GET ${path}`));
  await endTraces();
  await collector.close();
});
