import { afterEach, expect, it, vi } from 'vitest';
import { enoughCalls, MicroBatcher } from './micro-batcher.ts';

afterEach(() => vi.useRealTimers());

/** A batcher whose batches the test ends by hand, and the batches that have begun. */
function harness(
  fail: (items: readonly string[]) => boolean = () => false,
  options: { retryAlone?: (item: string) => Promise<string>; stuckAfterMs?: number; restMs?: number } = {},
) {
  const begun: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const batcher = new MicroBatcher<string, string, string>({
    work: async (_key, items) => {
      begun.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fail(items)) throw new Error(`no ${items.join()}`);
      return items.map((item) => item.toUpperCase());
    },
    conflictKeysOf: (item) => [item[0] ?? ''],
    maxBatchSize: 3,
    ...options,
  });
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, end, batcher };
}

it('batches what arrives meanwhile, in order, up to the limit, and separates conflicting items', async () => {
  const { begun, end, batcher } = harness();
  const all = Promise.all(
    ['a1', 'b1', 'b2', 'c1', 'd1', 'e1', 'b3'].map((item) => batcher.submit('k', item)),
  );
  const other = batcher.submit('l', 'x1');
  for (let time = 0; time < 5; time++) await end();
  expect(await other).toBe('X1');
  expect(await all).toEqual(['A1', 'B1', 'B2', 'C1', 'D1', 'E1', 'B3']);
  expect(begun).toEqual([['a1'], ['x1'], ['b1', 'c1', 'd1'], ['b2', 'e1'], ['b3']]);
});

it('retries the items of a failed batch one by one, so that only the culprit fails', async () => {
  const { begun, end, batcher } = harness((items) => items.includes('c1'));
  const all = Promise.allSettled(['a1', 'b1', 'c1', 'd1'].map((item) => batcher.submit('k', item)));
  for (let time = 0; time < 5; time++) await end();
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(begun).toEqual([['a1'], ['b1', 'c1', 'd1'], ['b1'], ['c1'], ['d1']]);
});

it('passes the items of a failed batch to retryAlone, and continues with the next batch', async () => {
  const retried: string[] = [];
  const { begun, end, batcher } = harness((items) => items.includes('c1'), {
    retryAlone: (item) => {
      retried.push(item);
      return item === 'c1' ? Promise.reject(new Error('no c1')) : Promise.resolve(`${item} alone`);
    },
  });
  const all = Promise.allSettled(['a1', 'b1', 'c1', 'd1', 'e1'].map((item) => batcher.submit('k', item)));
  expect(batcher.isBusy('k')).toBe(true);
  for (let time = 0; time < 3; time++) await end();
  expect(begun).toEqual([['a1'], ['b1', 'c1', 'd1'], ['e1']]);
  expect(retried).toEqual(['b1', 'c1', 'd1']);
  expect((await all).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    'A1',
    'b1 alone',
    'failed',
    'd1 alone',
    'E1',
  ]);
  expect(batcher.isBusy('k')).toBe(false);
});

it('starts a batch beside one that is stuck', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { begun, end, batcher } = harness(() => false, { stuckAfterMs: 50 });
  const stuck = batcher.submit('k', 'a1');
  vi.advanceTimersByTime(49);
  const behind = batcher.submit('k', 'b1');
  expect(begun).toEqual([['a1']]);
  vi.advanceTimersByTime(1);
  const late = batcher.submit('k', 'c1');
  expect(begun).toEqual([['a1'], ['b1', 'c1']]);
  await end();
  await end();
  expect(await Promise.all([stuck, behind, late])).toEqual(['A1', 'B1', 'C1']);
  expect(batcher.isBusy('k')).toBe(false);
});

it('rests after a batch until its time has passed or enough calls wait, and never before the first call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { begun, end, batcher } = harness(undefined, { restMs: 8 });
  const submit = (...items: string[]) => items.map((item) => batcher.submit('k', item));
  const first = submit('a1');
  expect(begun).toEqual([['a1']]);
  await end();
  // Both arrive while the batch of one rests, and share the next one.
  const second = submit('b1');
  await vi.advanceTimersByTimeAsync(4);
  second.push(...submit('c1'));
  expect(begun).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(4);
  expect(begun.at(-1)).toEqual(['b1', 'c1']);
  // It takes longer than a rest, so nothing waits behind it.
  await vi.advanceTimersByTimeAsync(9);
  const third = submit('d1');
  await end();
  expect(begun.at(-1)).toEqual(['d1']);
  await end();
  const names = Array.from({ length: enoughCalls }, (_, number) => String.fromCodePoint(0x4e00 + number));
  const fourth = submit(...names.slice(1));
  expect(begun).toHaveLength(3);
  fourth.push(...submit(names[0] ?? ''));
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.at(-1)).toEqual(names.slice(1, 4));
  // Fewer are left.
  for (let batches = 4; begun.flat().length < names.length + 4; batches++) {
    await end();
    expect(begun).toHaveLength(batches);
    await vi.advanceTimersByTimeAsync(8);
  }
  expect(begun.at(-1)).toContain(names[0]);
  await end();
  // At rest for long.
  await vi.advanceTimersByTimeAsync(100);
  expect(batcher.isBusy('k')).toBe(false);
  const last = submit('m1');
  expect(begun.at(-1)).toEqual(['m1']);
  await end();
  await Promise.all([...first, ...second, ...third, ...fourth, ...last]);
});
