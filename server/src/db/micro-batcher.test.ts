import { afterEach, expect, it, vi } from 'vitest';
import { MicroBatcher } from './micro-batcher.ts';

afterEach(() => vi.useRealTimers());

/** Work whose end is in the test's hands, and what it was given. */
function workshop(
  fail: (items: readonly string[]) => boolean = () => false,
  options: { alone?: (item: string) => Promise<string>; patienceMs?: number } = {},
) {
  const begun: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const inTurn = new MicroBatcher<string, string, string>({
    work: async (_key, items) => {
      begun.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fail(items)) throw new Error(`no ${items.join()}`);
      return items.map((item) => item.toUpperCase());
    },
    namesOf: (item) => [item[0] ?? ''],
    most: 3,
    ...options,
  });
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, end, inTurn };
}

it('does together what came meanwhile, in order, up to a number, and keeps apart what has a name in common', async () => {
  const { begun, end, inTurn } = workshop();
  const all = Promise.all(['a1', 'b1', 'b2', 'c1', 'd1', 'e1', 'b3'].map((item) => inTurn.ask('k', item)));
  const other = inTurn.ask('l', 'x1');
  for (let time = 0; time < 5; time++) await end();
  expect(await other).toBe('X1');
  expect(await all).toEqual(['A1', 'B1', 'B2', 'C1', 'D1', 'E1', 'B3']);
  expect(begun).toEqual([['a1'], ['x1'], ['b1', 'c1', 'd1'], ['b2', 'e1'], ['b3']]);
});

it('tries one by one what fails together, so that only the one fails', async () => {
  const { begun, end, inTurn } = workshop((items) => items.includes('c1'));
  const all = Promise.allSettled(['a1', 'b1', 'c1', 'd1'].map((item) => inTurn.ask('k', item)));
  for (let time = 0; time < 5; time++) await end();
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(begun).toEqual([['a1'], ['b1', 'c1', 'd1'], ['b1'], ['c1'], ['d1']]);
});

it('has what failed done elsewhere where that is said, and goes on without it', async () => {
  const elsewhere: string[] = [];
  const { begun, end, inTurn } = workshop((items) => items.includes('c1'), {
    alone: (item) => {
      elsewhere.push(item);
      return item === 'c1' ? Promise.reject(new Error('no c1')) : Promise.resolve(`${item} alone`);
    },
  });
  const all = Promise.allSettled(['a1', 'b1', 'c1', 'd1', 'e1'].map((item) => inTurn.ask('k', item)));
  expect(inTurn.isBusy('k')).toBe(true);
  for (let time = 0; time < 3; time++) await end();
  expect(begun).toEqual([['a1'], ['b1', 'c1', 'd1'], ['e1']]);
  expect(elsewhere).toEqual(['b1', 'c1', 'd1']);
  expect((await all).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    'A1',
    'b1 alone',
    'failed',
    'd1 alone',
    'E1',
  ]);
  expect(inTurn.isBusy('k')).toBe(false);
});

it('begins beside what is stuck, where it is told how long to wait', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { begun, end, inTurn } = workshop(() => false, { patienceMs: 50 });
  const stuck = inTurn.ask('k', 'a1');
  vi.advanceTimersByTime(49);
  const behind = inTurn.ask('k', 'b1');
  expect(begun).toEqual([['a1']]);
  vi.advanceTimersByTime(1);
  const late = inTurn.ask('k', 'c1');
  expect(begun).toEqual([['a1'], ['b1', 'c1']]);
  await end();
  await end();
  expect(await Promise.all([stuck, behind, late])).toEqual(['A1', 'B1', 'C1']);
  expect(inTurn.isBusy('k')).toBe(false);
});
