import { getPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { OwnThread } from './own-thread.ts';
import type { SampleAnswer, SampleQuestion } from './testing/sample-thread.ts';

let thread: OwnThread<SampleQuestion, SampleAnswer>;
afterEach(() => thread.close());

function begin(idleMs = 60_000): OwnThread<SampleQuestion, SampleAnswer> {
  const module = new URL('./testing/sample-thread.ts', import.meta.url);
  thread = new OwnThread({ module, given: { name: 'sample' }, idleMs });
  return thread;
}
const now: SampleQuestion = { kind: 'answer', afterMs: 0 };

it('answers several at once, each its own, from one thread', async () => {
  begin();
  const order: string[] = [];
  const slow = thread.ask({ kind: 'answer', afterMs: 300 }).finally(() => order.push('slow'));
  const quick = thread.ask(now).finally(() => order.push('quick'));
  const answers = await Promise.all([slow, quick]);
  expect(order).toEqual(['quick', 'slow']);
  expect(answers[0]).toMatchObject({ given: { name: 'sample' }, big: 2n ** 80n });
  expect(answers[0].thread).toBe(answers[1].thread);
});

it.skipIf(process.platform !== 'linux')('lets others go first, and them alone', async () => {
  const before = getPriority();
  begin();
  const { nice } = await thread.ask(now);
  expect(nice).toBe(10);
  expect(getPriority()).toBe(before);
});

it('what the work throws is the failure of its call only', async () => {
  begin();
  const other = thread.ask({ kind: 'answer', afterMs: 200 });
  await expect(thread.ask({ kind: 'throw' })).rejects.toThrow('not today');
  await expect(other).resolves.toMatchObject({ big: 2n ** 80n });
});

it.each([
  ['end', 'the thread has ended'],
  ['break', 'nobody caught this'],
] as const)(
  'a thread that ends (%s) fails all its calls, and the next one begins another',
  async (kind, words) => {
    begin();
    const { thread: first } = await thread.ask(now);
    const under = thread.ask({ kind: 'answer', afterMs: 60_000 });
    const ending = thread.ask({ kind });
    await expect(ending).rejects.toThrow(words);
    await expect(under).rejects.toThrow(words);
    const { thread: second } = await thread.ask(now);
    expect(second).not.toBe(first);
  },
);

it('a thread that nobody asks is ended, one that works is not', async () => {
  begin(100);
  const { thread: first } = await thread.ask(now);
  const { thread: same } = await thread.ask({ kind: 'answer', afterMs: 400 });
  expect(same).toBe(first);
  await setTimeout(500);
  const { thread: second } = await thread.ask(now);
  expect(second).not.toBe(first);
});

it('closing fails what is under way', async () => {
  begin();
  await thread.ask(now);
  const under = thread.ask({ kind: 'answer', afterMs: 60_000 });
  const refused = expect(under).rejects.toThrow('the thread has ended');
  await thread.close();
  await refused;
});
