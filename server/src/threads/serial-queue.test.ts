import { expect, test } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

/** Work that runs until it is released, and records its start. */
function work(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const run = () => {
    started.push(name);
    return promise;
  };
  return { run, release: () => resolve(name) };
}

test('runs one piece per lane at a time, and other lanes beside it', async () => {
  const queue = new SerialQueue({ waiting: 5, concurrency: 2 });
  const started: string[] = [];
  const [a1, a2, b1, c1] = [
    work(started, 'a1'),
    work(started, 'a2'),
    work(started, 'b1'),
    work(started, 'c1'),
  ];
  const results = [
    queue.run('a', a1.run),
    queue.run('a', a2.run),
    queue.run('b', b1.run),
    queue.run('c', c1.run),
  ];
  await Promise.resolve();
  expect(started).toEqual(['a1', 'b1']);
  a1.release();
  await results[0];
  await Promise.resolve();
  expect(started).toEqual(['a1', 'b1', 'a2']);
  for (const one of [a2, b1, c1]) one.release();
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('refuses work of a lane in which too much is waiting, and accepts it later', async () => {
  const queue = new SerialQueue({ waiting: 1, concurrency: 2 });
  const first = work([], 'first');
  const running = queue.run('a', first.run);
  const waiting = queue.run('a', async () => 'second');
  expect(await queue.run('a', async () => 'third')).toBeUndefined();
  expect(await queue.run('b', async () => 'other lane')).toBe('other lane');
  first.release();
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second']);
  expect(await queue.run('a', async () => 'fourth')).toBe('fourth');
});

test('continues after work that fails', async () => {
  const queue = new SerialQueue({ waiting: 1, concurrency: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await queue.run('a', async () => 'next')).toBe('next');
});

test('makes a lane that has just arrived wait for one piece of work of each lane before it', async () => {
  const queue = new SerialQueue({ waiting: 6, concurrency: 2 });
  const started: string[] = [];
  const [a0, a1, b0] = [work(started, 'a0'), work(started, 'a1'), work(started, 'b0')];
  const rest = Array.from({ length: 5 }, (_, index) => work(started, `a${index + 2}`));
  const ofA = [a0, a1, ...rest].map(({ run }) => queue.run('a', run));
  const results = [...ofA, queue.run('b', b0.run), queue.run('c', async () => started.push('c'))];
  for (const { release } of [a0, a1, ...rest]) release();
  // The work of lane b occupies the other slot until all of lane a has run.
  await Promise.all(ofA);
  b0.release();
  await Promise.all(results);
  expect(started.slice(0, 4)).toEqual(['a0', 'b0', 'a1', 'c']);
});
