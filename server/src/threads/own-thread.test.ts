import { getPriority } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import type { SampleAnswer, SampleQuestion } from '../testing/sample-thread.ts';
import { OwnThread } from './own-thread.ts';

let thread: OwnThread<SampleQuestion, SampleAnswer>;
afterEach(async () => {
  vi.useRealTimers();
  await thread.close();
});

function begin(idleMs = 60_000): OwnThread<SampleQuestion, SampleAnswer> {
  const module = new URL('../testing/sample-thread.ts', import.meta.url);
  thread = new OwnThread({ module, given: { name: 'sample' }, idleMs });
  return thread;
}
const now: SampleQuestion = { kind: 'answer' };
const hold: SampleQuestion = { kind: 'hold' };
const release: SampleQuestion = { kind: 'release' };

it('answers several at once, each its own, from one thread', async () => {
  begin();
  const order: string[] = [];
  const slow = thread.ask(hold).finally(() => order.push('slow'));
  const quick = thread.ask(now).finally(() => order.push('quick'));
  await quick;
  await thread.ask(release);
  const answers = await Promise.all([slow, quick]);
  expect(order).toEqual(['quick', 'slow']);
  expect(answers[0]).toMatchObject({ given: { name: 'sample' }, big: 2n ** 80n });
  expect(answers[0].thread).toBe(answers[1].thread);
});

it('lets others go first, and them alone', async ({ skip }) => {
  if (process.platform !== 'linux') skip('platform: threads have priorities of their own on Linux alone');
  const before = getPriority();
  begin();
  const { nice } = await thread.ask(now);
  expect(nice).toBe(10);
  expect(getPriority()).toBe(before);
});

it('what the work throws is the failure of its call only', async () => {
  begin();
  const other = thread.ask(hold);
  await expect(thread.ask({ kind: 'throw' })).rejects.toThrow('not today');
  await thread.ask(release);
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
    const under = thread.ask(hold);
    const ending = thread.ask({ kind });
    await expect(ending).rejects.toThrow(words);
    await expect(under).rejects.toThrow(words);
    const { thread: second } = await thread.ask(now);
    expect(second).not.toBe(first);
  },
);

it('a thread that nobody asks is ended, one that works is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  begin(100);
  const { thread: first } = await thread.ask(now);
  const working = thread.ask(hold);
  vi.advanceTimersByTime(10_000);
  await thread.ask(release);
  expect((await working).thread).toBe(first);
  vi.advanceTimersByTime(99);
  expect((await thread.ask(now)).thread).toBe(first);
  vi.advanceTimersByTime(100);
  expect((await thread.ask(now)).thread).not.toBe(first);
});

it('closing fails what is under way', async () => {
  begin();
  await thread.ask(now);
  const under = thread.ask(hold);
  const refused = expect(under).rejects.toThrow('the thread has ended');
  await thread.close();
  await refused;
});
