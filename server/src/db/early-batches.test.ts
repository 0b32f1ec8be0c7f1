import { expect, it } from 'vitest';
import { MicroBatcher } from './micro-batcher.ts';

interface BatchInProgress {
  items: readonly string[];
  execute: () => void;
  commit: (fault?: Error) => void;
}

/** A batcher whose batches the test executes and commits by hand. The first letter of an item is its lane. */
function harness() {
  const begun: BatchInProgress[] = [];
  const batcher = new MicroBatcher<string, string, string>({
    work: async (_key, items, execute) => {
      await new Promise<void>((resolve, reject) => {
        begun.push({ items, execute, commit: (fault) => (fault ? reject(fault) : resolve()) });
      });
      return items.map((item) => item.toUpperCase());
    },
    conflictKeysOf: () => [],
    laneOf: (item) => item[0],
    maxBatchSize: 16,
    retryAlone: async (item) => `${item} alone`,
  });
  const submit = (...items: string[]) => items.map((item) => batcher.submit('k', item));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const itemsBegun = () => begun.map(({ items }) => items.join(' '));
  return { batcher, begun, submit, settle, itemsBegun };
}

it('executes the next batch while one waits for its commit, without the lanes of that one', async () => {
  const { batcher, begun, submit, settle, itemsBegun } = harness();
  const all = submit('a1', 'b1', 'a2', 'c1');
  expect(itemsBegun()).toEqual(['a1']);
  begun[0]?.execute();
  await settle();
  expect(itemsBegun()).toEqual(['a1', 'b1 c1']);
  all.push(...submit('d1'));
  begun[1]?.execute();
  await settle();
  expect(itemsBegun()).toEqual(['a1', 'b1 c1', 'd1']);
  begun[0]?.commit();
  await settle();
  // One batch is executed at a time.
  expect(begun).toHaveLength(3);
  begun[2]?.execute();
  await settle();
  expect(itemsBegun()).toEqual(['a1', 'b1 c1', 'd1', 'a2']);
  for (const batch of begun) batch.commit();
  expect(await Promise.all(all)).toEqual(['A1', 'B1', 'A2', 'C1', 'D1']);
  await settle();
  expect(batcher.isBusy('k')).toBe(false);
});

it('resumes for a call of another lane while calls wait for a commit', async () => {
  const { begun, submit, settle, itemsBegun } = harness();
  const all = submit('a1', 'a2');
  begun[0]?.execute();
  await settle();
  expect(itemsBegun()).toEqual(['a1']);
  all.push(...submit('b1'));
  await settle();
  expect(itemsBegun()).toEqual(['a1', 'b1']);
  begun[1]?.commit();
  begun[0]?.commit();
  await settle();
  begun[2]?.commit();
  expect(await Promise.all(all)).toEqual(['A1', 'A2', 'B1']);
});

it('has four batches at most that wait for their commits', async () => {
  const { begun, submit, settle } = harness();
  const all = [];
  for (const lane of 'abcdef') {
    all.push(...submit(`${lane}1`));
    await settle();
    begun.at(-1)?.execute();
    await settle();
  }
  expect(begun).toHaveLength(4);
  begun[1]?.commit();
  await settle();
  expect(begun.at(-1)?.items).toEqual(['e1', 'f1']);
  for (const batch of begun) batch.commit();
  expect(await Promise.all(all)).toHaveLength(6);
});

it('fails only the calls of a batch whose commit fails', async () => {
  const { batcher, begun, submit, settle } = harness();
  const all = submit('a1', 'b1');
  begun[0]?.execute();
  await settle();
  begun[0]?.commit(new Error('no space'));
  begun[1]?.commit();
  expect(await Promise.all(all)).toEqual(['a1 alone', 'B1']);
  await settle();
  expect(batcher.isBusy('k')).toBe(false);
});
