import { execFile } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import flags from '../../node-flags.json' with { type: 'json' };
import { until } from '../testing/until.ts';
import { quietMoment } from './heap-growth.ts';

const run = promisify(execFile);
const intervalMs = 20;

it('waits until the event loop is quiet', async () => {
  let isQuiet = false;
  void quietMoment(intervalMs).then(() => {
    isQuiet = true;
  });
  // Turn after turn without a pause: the loop is never quiet, however slow the machine is.
  for (const end = performance.now() + 5 * intervalMs; performance.now() < end; ) await turn();
  expect(isQuiet).toBe(false);
  await until(
    async () => isQuiet,
    (done) => done,
  );
});

/** A load that replaces objects which have lived for a while; prints the number of full collections, and the heap's size in MB before and after. */
const load = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
  import { adaptHeapGrowth, keepHeapsSmall } from '${new URL('heap-growth.ts', import.meta.url)}';
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  });
  const alive = Array.from({ length: 300_000 }, (_, number) => ({ number }));
  const megabytes = () => process.memoryUsage().heapTotal / 2 ** 20;
  const isAdapted = process.argv[1] !== 'plain';
  if (process.argv[1] === 'small') keepHeapsSmall();
  if (isAdapted) void adaptHeapGrowth({ afterStart: 1000, afterLoad: 2000 });
  await pause(2000);
  observer.observe({ entryTypes: ['gc'] });
  for (let batch = 0; batch < 20_000; batch++) {
    for (let index = 0; index < 3000; index++) alive[Math.floor(Math.random() * alive.length)] = { number: index };
    await turn();
  }
  const loaded = megabytes();
  observer.disconnect();
  for (let waits = 0; isAdapted && waits < 40 && megabytes() > loaded / 2; waits++) await pause(500);
  process.stdout.write(JSON.stringify({ collections, loaded, end: megabytes(), alive: alive.length }));
`;

it('collects the heap less often under load unless heaps are kept small, and returns it afterwards', {
  timeout: 60_000,
}, async () => {
  const measure = async (name: string) => {
    const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '-e', load, name]);
    return JSON.parse(stdout) as { collections: number; loaded: number; end: number };
  };
  const [adapted, small, plain] = await Promise.all(['adapted', 'small', 'plain'].map(measure));
  if (!adapted || !small || !plain) throw new Error('nothing was measured');
  expect(plain.collections).toBeGreaterThan(6);
  expect(adapted.collections).toBeLessThan(plain.collections * 0.7);
  expect(small.collections).toBeGreaterThan(adapted.collections / 0.7);
  expect(adapted.end).toBeLessThan(adapted.loaded / 2);
});
