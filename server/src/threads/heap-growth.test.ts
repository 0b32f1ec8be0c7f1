import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import flags from '../../node-flags.json' with { type: 'json' };
import { collectDuring } from './heap-growth.ts';

const run = promisify(execFile);
const testTimeoutMs = 180_000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Output of the program. */
interface Measured {
  /** Full collections under load. */
  collections: number;
  /** The largest heap under load, and the heap once memory was returned, or in the end, in MB. */
  loaded: number;
  end: number;
  /** How often memory was returned: before the load, at its end, once at rest, and some quiet intervals later. */
  returned: number[];
}

/** Replaces objects that have lived for a while, then rests. Observes collections all the time, as the metrics of the product do. */
const program = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
  import { adaptHeapGrowth, withSmallHeaps } from '${new URL('heap-growth.ts', import.meta.url)}';
  const [variant] = process.argv.slice(1);
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  }).observe({ entryTypes: ['gc'] });
  let calls = 0;
  const collect = globalThis.gc;
  globalThis.gc = (options) => { calls++; return collect(options); };
  const returned = [];
  const alive = Array.from({ length: 300_000 }, (_, number) => ({ number }));
  const megabytes = () => process.memoryUsage().heapTotal / 2 ** 20;
  if (variant === 'small') void withSmallHeaps(() => new Promise(() => {}));
  const limits = { intervalMs: 300, frequentMs: 20_000, quietAfterStart: 1, quietAfterLoad: 3, returnGapMs: 60_000 };
  if (variant !== 'plain') void adaptHeapGrowth(limits);
  // Its load begins with the start.
  if (variant !== 'early') await pause(1000);
  returned.push(calls);
  collections = 0;
  let loaded = 0;
  for (let batch = 0; batch < 12_000; batch++) {
    for (let index = 0; index < 3000; index++) alive[Math.floor(Math.random() * alive.length)] = { number: index };
    if (batch % 500 === 0) loaded = Math.max(loaded, megabytes());
    await turn();
  }
  const underLoad = collections;
  returned.push(calls);
  for (let waits = 0; calls === returned[0] && variant !== 'plain' && waits < 200; waits++) await pause(100);
  const end = megabytes();
  returned.push(calls);
  await pause(8 * limits.intervalMs);
  returned.push(calls);
  process.stdout.write(JSON.stringify({ collections: underLoad, loaded, end, returned, alive: alive.length }));
`;

async function measure(variant: string): Promise<Measured> {
  const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '-e', program, variant], {
    timeout: testTimeoutMs / 2,
  });
  return JSON.parse(stdout);
}

it('collects the heap less often under load, also from the start, unless it is kept small, and returns it once at rest', {
  timeout: testTimeoutMs,
}, async () => {
  const [plain, small, adapted, early] = await Promise.all([
    measure('plain'),
    measure('small'),
    measure('adapted'),
    measure('early'),
  ]);
  expect(plain.collections).toBeGreaterThan(6);
  for (const { collections, end, loaded } of [adapted, early]) {
    expect(collections).toBeLessThan(plain.collections * 0.7);
    expect(small.collections).toBeGreaterThan(collections / 0.7);
    expect(end).toBeLessThan(loaded / 2);
  }
  expect(adapted.returned).toEqual([1, 1, 2, 2]);
  expect(early.returned).toEqual([0, 0, 1, 1]);
});

/**
 * Works and requests a collection meanwhile, rests for a moment, works again and rests for long. Prints the collections so far after the start, after
 * the first work, after the moment, and in the end.
 */
const quietProgram = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { adaptHeapGrowth, collectWhenQuiet } from '${new URL('heap-growth.ts', import.meta.url)}';
  const flavors = [];
  globalThis.gc = ({ flavor = 'regular' }) => flavors.push(flavor);
  const limits = { intervalMs: 200, frequentMs: 20_000, quietAfterStart: 1, quietAfterLoad: 6, returnGapMs: 60_000 };
  void adaptHeapGrowth(limits);
  const seen = [];
  const note = () => seen.push([...flavors]);
  async function work(onTurn = () => {}) {
    for (let turn = 0; turn < 25; turn++) {
      onTurn(turn);
      for (const end = performance.now() + 20; performance.now() < end; );
      await pause(2);
    }
  }
  await pause(5 * limits.intervalMs);
  note();
  // More than an interval after its begin.
  await work((turn) => turn === 12 && collectWhenQuiet());
  note();
  await pause(3 * limits.intervalMs);
  note();
  await work();
  await pause(12 * limits.intervalMs);
  note();
  process.stdout.write(JSON.stringify(seen));
`;

it('returns memory after the start and after work, and collects garbage on request, in a quiet moment', async () => {
  const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '-e', quietProgram]);
  const started = ['last-resort'];
  const collected = [...started, 'regular'];
  expect(JSON.parse(stdout)).toEqual([started, started, collected, [...collected, 'last-resort']]);
});

it('collects garbage regularly during work, and no longer', async () => {
  vi.useFakeTimers();
  const gc = vi.fn();
  vi.stubGlobal('gc', gc);
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = [collectDuring(() => promise), collectDuring(() => promise)];
  vi.advanceTimersByTime(2500);
  expect(gc).toHaveBeenCalledTimes(1);
  expect(await collectDuring(async () => 'first')).toBe('first');
  vi.advanceTimersByTime(2500);
  expect(gc).toHaveBeenCalledTimes(2);
  resolve('done');
  expect(await Promise.all(work)).toEqual(['done', 'done']);
  await expect(collectDuring(() => Promise.reject(new Error('the work failed')))).rejects.toThrow(
    'the work failed',
  );
  vi.advanceTimersByTime(5000);
  expect(gc).toHaveBeenCalledTimes(2);
});
