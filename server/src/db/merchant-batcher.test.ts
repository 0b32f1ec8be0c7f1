import pg from 'pg';
import { expect, it } from 'vitest';
import type { Database, Tx } from './database.ts';
import { MerchantBatcher } from './merchant-batcher.ts';
import { enoughCalls } from './micro-batcher.ts';

interface Item {
  merchantId: bigint;
  number: number;
}

/** A batcher over a database without one: the test ends its transactions by hand, and sees which items share one. */
function harness() {
  const begun: Item[][] = [];
  const ends: (() => void)[] = [];
  const database = {
    placement: () => 'a',
    asMerchants: (_merchants: bigint[], work: (tx: Tx) => Promise<unknown>) => work({} as Tx),
  } as unknown as Database;
  const batcher = new MerchantBatcher<Item, number>({
    database,
    work: async (_tx, items) => {
      begun.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map(({ number }) => number);
    },
    conflictKeysOf: () => [],
  });
  let lastNumber = 0;
  const submit = (merchantId: number) =>
    batcher.submit({ merchantId: BigInt(merchantId), number: ++lastNumber });
  /** Ends all transactions in progress, and waits until the next ones have begun. */
  const end = async () => {
    for (const finish of ends.splice(0)) finish();
    await new Promise((resolve) => setTimeout(resolve, 30));
  };
  return { begun, end, submit };
}

const merchantsOf = (items: readonly Item[] | undefined) =>
  items?.map(({ merchantId }) => Number(merchantId));
const range = (from: number, count: number) => Array.from({ length: count }, (_, number) => from + number);

it('fills one transaction before it opens a second one beside it', async () => {
  const { begun, end, submit } = harness();
  const first = submit(1);
  const others = range(100, enoughCalls).map(submit);
  expect(begun.map(merchantsOf)).toEqual([[1]]);
  // The next transaction is full.
  const beside = range(200, 3).map(submit);
  expect(begun.map(merchantsOf)).toEqual([[1], [200]]);
  await end();
  expect(begun.slice(2).map(merchantsOf)).toEqual([range(100, enoughCalls), [201, 202]]);
  await end();
  expect(await Promise.all([first, ...others, ...beside])).toEqual(range(1, enoughCalls + 4));
});

it('keeps a merchant’s items in the queue of those in progress', async () => {
  const { begun, end, submit } = harness();
  const all = [
    submit(1),
    ...range(100, enoughCalls).map(submit),
    submit(1),
    submit(100),
    submit(300),
    submit(300),
  ];
  // The queue of merchants 1 and 100 is full; merchant 300 begins the other one.
  expect(begun.map(merchantsOf)).toEqual([[1], [300]]);
  await end();
  // The second item of merchant 1 has waited for the end of the first.
  expect(begun.slice(2).map(merchantsOf)).toEqual([[...range(100, enoughCalls), 100, 1], [300]]);
  await end();
  await Promise.all(all);
  // Nothing of merchant 300 is in progress any more: it joins the first queue, in which merchant 2 is.
  const later = [submit(2), submit(300), submit(3)];
  await end();
  expect(begun.slice(-2).map(merchantsOf)).toEqual([[2], [300, 3]]);
  await end();
  await Promise.all(later);
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
