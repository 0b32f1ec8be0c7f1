import pg from 'pg';
import { expect, it } from 'vitest';
import type { Database, Tx } from './database.ts';
import { MerchantBatcher, type MerchantBatcherOptions } from './merchant-batcher.ts';
import { enoughCalls } from './micro-batcher.ts';

interface Item {
  merchantId: bigint;
  number: number;
}

/** A batcher over a database without one: the test ends its transactions by hand, and sees which items share one. */
function harness(options: Pick<MerchantBatcherOptions<Item, number>, 'lanesOf'> = {}) {
  const begun: Item[][] = [];
  const ends: (() => void)[] = [];
  const executions: (() => void)[] = [];
  const database = {
    placement: () => 'a',
    asMerchants: (
      _merchants: bigint[],
      work: (tx: Tx) => Promise<unknown>,
      { onExecuted }: { onExecuted: () => void },
    ) => {
      executions.push(onExecuted);
      return work({} as Tx);
    },
  } as unknown as Database;
  const batcher = new MerchantBatcher<Item, number>({
    database,
    work: async (_tx, items) => {
      begun.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map(({ number }) => number);
    },
    conflictKeysOf: () => [],
    ...options,
  });
  let lastNumber = 0;
  const submit = (merchantId: number) =>
    batcher.submit({ merchantId: BigInt(merchantId), number: ++lastNumber });
  /** Ends one of the transactions in progress, or all of them, and waits until the next ones have begun. */
  const end = async (number?: number) => {
    for (const finish of number === undefined ? ends.splice(0) : ends.splice(number, 1)) finish();
    await new Promise((resolve) => setTimeout(resolve, 30));
  };
  /** Has a transaction executed, which is not committed yet. */
  const execute = async (number: number) => {
    executions[number]?.();
    await new Promise((resolve) => setTimeout(resolve, 30));
  };
  return { begun, end, execute, submit };
}

const merchantsOf = (items: readonly Item[] | undefined) =>
  items?.map(({ merchantId }) => Number(merchantId));
const range = (from: number, count: number) => Array.from({ length: count }, (_, number) => from + number);

it('starts a transaction beside the one in progress only for enough items', async () => {
  const { begun, end, submit } = harness();
  const first = submit(1);
  const others = range(100, enoughCalls - 1).map(submit);
  expect(begun.map(merchantsOf)).toEqual([[1]]);
  others.push(submit(99 + enoughCalls));
  expect(begun.map(merchantsOf)).toEqual([[1], range(100, enoughCalls)]);
  // Never a third one.
  const behind = range(200, enoughCalls + 1).map(submit);
  expect(begun).toHaveLength(2);
  await end();
  expect(begun.slice(2).map(merchantsOf)).toEqual([range(200, enoughCalls + 1)]);
  await end();
  expect(await Promise.all([first, ...others, ...behind])).toEqual(range(1, 2 * enoughCalls + 2));
});

it('leaves few items to the transaction in progress, whichever of two ends first', async () => {
  for (const ended of [0, 1]) {
    const { begun, end, submit } = harness();
    const all = [submit(1), ...range(100, enoughCalls).map(submit), submit(200), submit(201)];
    await end(ended);
    expect(begun).toHaveLength(2);
    await end();
    expect(begun.slice(2).map(merchantsOf)).toEqual([[200, 201]]);
    await end();
    await Promise.all(all);
  }
});

it('never has items of a merchant in two transactions, however many wait', async () => {
  const { begun, end, submit } = harness();
  const busy = range(1, 3);
  const all = [...busy, ...range(100, enoughCalls)].map(submit);
  expect(begun.map(merchantsOf)).toEqual([[1], [2, 3, ...range(100, enoughCalls - 2)]]);
  // Enough for a transaction of their own, once the first one has ended.
  all.push(...Array.from({ length: enoughCalls }, () => busy.map(submit)).flat());
  await end(1);
  const second = begun[2];
  expect(begun).toHaveLength(3);
  expect(new Set(merchantsOf(second))).toEqual(new Set([2, 3, ...range(98 + enoughCalls, 2)]));
  await end();
  expect(new Set(merchantsOf(begun[3]))).toEqual(new Set([1]));
  await end();
  expect(await Promise.all(all)).toHaveLength(3 + enoughCalls + 3 * enoughCalls);
});

it('executes items of a merchant that may be in two transactions only one after the other', async () => {
  const { begun, end, execute, submit } = harness({ lanesOf: ({ number }) => [`order ${number}`] });
  const all = [1, ...range(100, enoughCalls)].map(submit);
  all.push(...Array.from({ length: enoughCalls }, () => submit(1)));
  expect(begun.map(merchantsOf)).toEqual([[1], range(100, enoughCalls)]);
  await execute(0);
  // Committed or not, the first one does not hold up the next.
  expect(begun.slice(2).map(merchantsOf)).toEqual([Array.from({ length: enoughCalls }, () => 1)]);
  all.push(...[1, ...range(200, 2)].map(submit));
  await execute(1);
  // The commit of the first one changes nothing for those behind the second one of the merchant.
  await end(0);
  const behind = Array.from({ length: enoughCalls }, () => 1);
  all.push(...behind.map(submit));
  expect(begun).toHaveLength(3);
  await end();
  expect(begun.slice(3).map(merchantsOf)).toEqual([[200, 201, 1, ...behind]]);
  await end();
  expect(await Promise.all(all)).toHaveLength(1 + 3 * enoughCalls + 3);
});

it('shares transactions again once a merchant that was processed alone has prepared its items', async () => {
  const shared: number[][] = [];
  const alone: number[] = [];
  const prepared: (() => void)[] = [];
  const database = {
    placement: () => 'a',
    asMerchants: async (_merchants: bigint[], work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
    asMerchant: async (_merchant: bigint, work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
  } as unknown as Database;
  let isLocked = true;
  const batcher = new MerchantBatcher<Item, number>({
    database,
    work: async (_tx, items) => {
      const numbers = items.map(({ number }) => number);
      if (isLocked) {
        isLocked = false;
        throw new pg.DatabaseError('lock not available', 1, 'error');
      }
      if (prepared.length === 0) shared.push(numbers);
      else alone.push(...numbers);
      return numbers;
    },
    conflictKeysOf: () => [],
    beforeAlone: () => new Promise<void>((resolve) => void prepared.push(resolve)),
  });
  const submit = (number: number) => batcher.submit({ merchantId: 1n, number });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
  const first = submit(1);
  await turn();
  // It comes while the first one is prepared, and is prepared itself.
  const second = submit(2);
  await turn();
  expect(prepared).toHaveLength(2);
  prepared[0]?.();
  expect(await first).toBe(1);
  expect(alone).toEqual([1]);
  prepared.pop()?.();
  prepared.pop();
  expect(await second).toBe(2);
  expect(shared).toEqual([[2]]);
});
