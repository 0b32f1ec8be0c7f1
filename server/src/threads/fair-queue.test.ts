import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** A queue whose work the test ends by hand, and the names of what has started. */
function harness(limits: ConstructorParameters<typeof FairQueue>[0]) {
  const queue = new FairQueue(limits);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (lane: string, name: string) =>
    queue.run(lane, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { add, started, endOne };
}

it('limits concurrency, and serves lanes round-robin', async () => {
  const { add, started, endOne } = harness({ concurrency: 2, waitingInLane: 10, waitingInAll: 20 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void add('a', name);
  void add('b', 'b1');
  void add('c', 'c1');
  await new Promise(setImmediate);
  expect(started).toEqual(['a1', 'a2']);
  for (let time = 0; time < 5; time++) await endOne();
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5']);
});

it('rejects work if too much is waiting in its lane, or in all', async () => {
  const { add } = harness({ concurrency: 1, waitingInLane: 1, waitingInAll: 2 });
  void add('a', 'runs');
  void add('a', 'waits');
  expect(await add('a', 'too much of a')).toBeUndefined();
  void add('b', 'waits, too');
  expect(await add('c', 'too much in all')).toBeUndefined();
});

it('continues after work that fails, and never exceeds its concurrency', async () => {
  const queue = new FairQueue({ concurrency: 2, waitingInLane: 100, waitingInAll: 100 });
  let running = 0;
  let peak = 0;
  const tries = Array.from({ length: 50 }, (_, index) =>
    queue.run(String(index % 7), async () => {
      peak = Math.max(peak, ++running);
      await new Promise(setImmediate);
      running--;
      if (index % 3 === 0) throw new Error('failed');
    }),
  );
  const results = await Promise.allSettled(tries);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(17);
  expect([peak, running]).toEqual([2, 0]);
});
