import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { TraceCollector } from '../../testing/trace-collector.ts';
import { noteOrderOf } from './calls.ts';
import { startTraces } from './exporter.ts';
import { isTracing, record, type Work } from './traces.ts';

const work: Work = {
  name: 'something',
  kind: 'consumer',
  startedAtMs: 0,
  orderNo: 'C1',
  attributes: {},
  isFailed: false,
};

it('sends what was recorded before it ends, and records nothing afterwards', async () => {
  const collector = await TraceCollector.start();
  const end = startTraces(`${collector.url}/`, { warn: () => {} });
  expect(isTracing()).toBe(true);
  record(work);
  await end();
  expect(collector.spans.map(({ name }) => name)).toEqual(['something']);
  expect(isTracing()).toBe(false);
  record(work);
  expect(collector.spans).toHaveLength(1);
  await collector.close();
});

it('logs a warning and nothing else if the collector is away', async () => {
  const collector = await TraceCollector.start();
  await collector.close();
  const lines: unknown[] = [];
  const end = startTraces(collector.url, { warn: (line: unknown) => void lines.push(line) });
  record(work);
  await end();
  expect(lines.length).toBeGreaterThan(0);
}, 30_000);

it('does not even load the packages without a collector', async () => {
  const main = join(import.meta.dirname, '../../process/product.ts');
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(main)});
    // prom-client depends on the API.
    const packages = loaded.filter((url) => /@opentelemetry\\/(?!api\\/)/.test(url));
    console.log(JSON.stringify([loaded.length > 100, packages]));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(JSON.parse(stdout)).toEqual([true, []]);
}, 60_000);

it('starts an order’s trace with the call that created it, not with a later one that returns the same order', async () => {
  const end = startTraces('http://127.0.0.1:9', { warn: () => {} });
  const noted = (method: string, createdAtMs: number, params: object = {}) => {
    const request = { method, params, readAt: performance.now() - 50, tracedOrder: undefined };
    noteOrderOf(request as unknown as FastifyRequest, {
      data: { trade_no: 'C2', createdAt: new Date(createdAtMs).toISOString() },
    });
    return request.tracedOrder;
  };
  expect(noted('POST', Date.now() - 20)).toEqual({ orderNo: 'C2', isOrigin: true });
  expect(noted('POST', Date.now() - 5000)).toEqual({ orderNo: 'C2', isOrigin: false });
  expect(noted('GET', Date.now())).toEqual({ orderNo: 'C2', isOrigin: false });
  // A refund or a cancellation names the order in its URL.
  expect(noted('POST', Date.now(), { trade_no: 'C2' })).toEqual({ orderNo: 'C2', isOrigin: false });
  await end();
  expect(noted('POST', Date.now())).toBeUndefined();
}, 30_000);
