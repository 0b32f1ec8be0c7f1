import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { enoughCalls, MicroBatcher } from './micro-batcher.ts';

afterEach(() => vi.useRealTimers());

interface BatchInProgress {
  items: readonly string[];
  execute: () => void;
  commit: (fault?: Error) => void;
}

/** A batcher whose batches the test executes and commits by hand. The letters of an item are its lanes. */
function harness(options: { stuckAfterMs?: number; mayOverlap?: boolean; restMs?: number } = {}) {
  const begun: BatchInProgress[] = [];
  const batcher = new MicroBatcher<string, string, string>({
    work: async (_key, items, execute) => {
      await new Promise<void>((resolve, reject) => {
        begun.push({ items, execute, commit: (fault) => (fault ? reject(fault) : resolve()) });
      });
      return items.map((item) => item.toUpperCase());
    },
    conflictKeysOf: () => [],
    lanesOf: (item) => [...item].filter((letter) => letter >= 'a'),
    maxBatchSize: 16,
    retryAlone: async (item) => `${item} alone`,
    ...options,
  });
  const submit = (...items: string[]) => items.map((item) => batcher.submit('k', item));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const itemsBegun = () => begun.map(({ items }) => items.join(' '));
  return { batcher, begun, submit, settle, itemsBegun };
}

it('executes the next batch while one waits for its commit, without the lanes of that one', async () => {
  const { batcher, begun, submit, settle, itemsBegun } = harness();
  const all = submit('a1', 'b1', 'a2', 'c1', 'a3');
  expect(itemsBegun()).toEqual(['a1']);
  begun[0]?.execute();
  await settle();
  expect(itemsBegun()).toEqual(['a1', 'b1 c1']);
  // One batch is executed at a time, and two at most are not committed.
  all.push(...submit('d1', 'b2'));
  begun[0]?.commit();
  await settle();
  expect(begun).toHaveLength(2);
  begun[1]?.execute();
  await settle();
  // Calls of the lane that has waited for its commit come after those of others.
  expect(itemsBegun()).toEqual(['a1', 'b1 c1', 'd1 a2 a3']);
  begun[2]?.execute();
  await settle();
  expect(begun).toHaveLength(3);
  begun[1]?.commit();
  await settle();
  expect(begun.at(-1)?.items).toEqual(['b2']);
  for (const batch of begun) batch.commit();
  expect(await Promise.all(all)).toEqual(['A1', 'B1', 'A2', 'C1', 'A3', 'D1', 'B2']);
  await settle();
  expect(batcher.isBusy('k')).toBe(false);
});

it('keeps a call waiting as long as a batch has any of its lanes', async () => {
  const { batcher, begun, submit, settle, itemsBegun } = harness();
  const all = submit('a1');
  begun[0]?.execute();
  await settle();
  all.push(...submit('b1', 'ab2'));
  begun[1]?.execute();
  await settle();
  begun[0]?.commit();
  await settle();
  expect(itemsBegun()).toEqual(['a1', 'b1']);
  begun[1]?.commit();
  await settle();
  expect(itemsBegun()).toEqual(['a1', 'b1', 'ab2']);
  begun[2]?.commit();
  expect(await Promise.all(all)).toEqual(['A1', 'B1', 'AB2']);
  await settle();
  expect(batcher.isBusy('k')).toBe(false);
});

it('takes calls of other lanes while many of one wait for its commit', async () => {
  const { begun, batcher, submit, settle, itemsBegun } = harness();
  const all = submit('a1', ...Array.from({ length: 40 }, (_, number) => `a${number + 2}`));
  begun[0]?.execute();
  await settle();
  expect(itemsBegun()).toEqual(['a1']);
  all.push(...submit('b1'));
  expect(itemsBegun()).toEqual(['a1', 'b1']);
  begun[1]?.commit();
  begun[0]?.commit();
  await settle();
  for (let batch = 2; batch < 5; batch++) {
    begun[batch]?.commit();
    await settle();
  }
  expect(await Promise.all(all)).toHaveLength(42);
  expect(batcher.isBusy('k')).toBe(false);
});

it('serves other lanes beside batches that are stuck, and by one loop again once they are not', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { begun, batcher, submit, settle, itemsBegun } = harness({ stuckAfterMs: 50 });
  const all = submit('a1');
  begun[0]?.execute();
  await settle();
  all.push(...submit('b1'));
  expect(itemsBegun()).toEqual(['a1', 'b1']);
  for (const lane of 'cdef') {
    vi.advanceTimersByTime(60);
    all.push(...submit(`${lane}1`, `a2${lane}`, `${lane}2`));
    await settle();
  }
  // Beside those that are stuck, up to four.
  expect(itemsBegun()).toEqual(['a1', 'b1', 'c1', 'd1']);
  for (const batch of [...begun]) batch.commit();
  await settle();
  while (batcher.isBusy('k')) {
    begun.at(-1)?.commit();
    for (const batch of begun) batch.commit();
    await settle();
  }
  expect(await Promise.all(all)).toHaveLength(14);
});

it('takes few calls beside a batch only if that one is stuck', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { begun, batcher, submit, settle, itemsBegun } = harness({ stuckAfterMs: 50, mayOverlap: true });
  const letters = Array.from({ length: enoughCalls }, (_, number) => String.fromCodePoint(0x4e00 + number));
  const all = submit('a1', ...letters);
  expect(itemsBegun()).toEqual(['a1', letters.join(' ')]);
  all.push(...submit('b1'));
  begun[1]?.commit();
  await settle();
  expect(begun).toHaveLength(2);
  // The first one is stuck now: another loop serves all calls beside it, few or many.
  vi.advanceTimersByTime(60);
  all.push(...submit('c1'));
  all.push(...submit('d1'));
  expect(itemsBegun().slice(2)).toEqual(['b1 c1']);
  begun[2]?.commit();
  await settle();
  expect(itemsBegun().slice(3)).toEqual(['d1']);
  begun[3]?.commit();
  begun[0]?.commit();
  expect(await Promise.all(all)).toHaveLength(enoughCalls + 4);
  await settle();
  expect(batcher.isBusy('k')).toBe(false);
});

it('takes few calls beside a batch that is stuck since before another ended', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { begun, submit, settle, itemsBegun } = harness({ stuckAfterMs: 50, mayOverlap: true });
  const letters = Array.from({ length: enoughCalls }, (_, number) => String.fromCodePoint(0x4e00 + number));
  const all = submit('a1');
  vi.advanceTimersByTime(40);
  all.push(...submit(...letters, 'b1'));
  begun[1]?.commit();
  await settle();
  expect(begun).toHaveLength(2);
  vi.advanceTimersByTime(15);
  all.push(...submit('c1'));
  expect(itemsBegun().slice(2)).toEqual(['b1 c1']);
  for (const batch of begun) batch.commit();
  expect(await Promise.all(all)).toHaveLength(enoughCalls + 3);
});

it('leaves calls to two batches that are not stuck, few or many', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { batcher, begun, submit, settle } = harness({ stuckAfterMs: 50, mayOverlap: true });
  const names = Array.from({ length: 6 * enoughCalls }, (_, number) => String.fromCodePoint(0x4e00 + number));
  const next = (count: number) => submit(...names.splice(0, count));
  const all = submit('a1');
  all.push(...next(enoughCalls));
  vi.advanceTimersByTime(60);
  all.push(...next(1), ...next(enoughCalls), ...next(1));
  expect(begun).toHaveLength(4);
  begun[2]?.commit();
  await settle();
  expect(begun).toHaveLength(4);
  all.push(...next(names.length));
  expect(begun).toHaveLength(5);
  // The ones that were stuck end.
  begun[0]?.commit();
  begun[1]?.commit();
  await settle();
  expect(begun).toHaveLength(5);
  for (let round = 0; batcher.isBusy('k'); round++) {
    for (const batch of [...begun]) batch.commit();
    await settle();
    expect(round).toBeLessThan(10);
  }
  expect(await Promise.all(all)).toHaveLength(1 + 6 * enoughCalls);
});

it('starts two batches after a rest in which enough calls came for both', async () => {
  const { begun, submit, settle } = harness({ mayOverlap: true, restMs: 60_000 });
  const all = submit('a1');
  begun[0]?.commit();
  await settle();
  const names = Array.from({ length: 2 * enoughCalls + 1 }, (_, number) =>
    String.fromCodePoint(0x4e00 + number),
  );
  all.push(...submit(...names));
  await settle();
  expect(begun.map(({ items }) => items.length)).toEqual([1, enoughCalls, enoughCalls]);
  begun[1]?.commit();
  await settle();
  begun[2]?.commit();
  await Promise.all(all.slice(0, -1));
});

it('has four batches at most that are not committed, however many calls wait', async () => {
  const { batcher, begun, submit, settle } = harness({ mayOverlap: true });
  const all: Promise<string>[] = [];
  const names = Array.from({ length: 6 * enoughCalls }, (_, number) => String.fromCodePoint(0x4e00 + number));
  for (const name of names) all.push(...submit(name));
  expect(begun).toHaveLength(2);
  for (let round = 0; round < 4; round++) {
    for (const batch of [...begun]) batch.execute();
    await settle();
  }
  expect(begun).toHaveLength(4);
  for (let round = 0; batcher.isBusy('k'); round++) {
    for (const batch of [...begun]) batch.commit();
    await settle();
    expect(round).toBeLessThan(10);
  }
  expect(await Promise.all(all)).toHaveLength(names.length);
});

it('retries the calls of a batch whose commit PostgreSQL refuses, and of no other', async () => {
  const { batcher, begun, submit, settle } = harness();
  const all = submit('a1', 'b1');
  begun[0]?.execute();
  await settle();
  begun[0]?.commit(new pg.DatabaseError('refused at the commit', 1, 'error'));
  begun[1]?.commit();
  expect(await Promise.all(all)).toEqual(['a1 alone', 'B1']);
  await settle();
  expect(batcher.isBusy('k')).toBe(false);
});

it('does not retry what may be committed', async () => {
  const { begun, submit } = harness();
  const [call] = submit('a1');
  begun[0]?.execute();
  begun[0]?.commit(new Error('thrown after the commit'));
  await expect(call).rejects.toThrow('thrown after the commit');
});
