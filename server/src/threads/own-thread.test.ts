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

it('answers concurrent calls, each with its own reply, from one thread', async () => {
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

it('lowers the priority of its own thread only', async ({ skip }) => {
  if (process.platform !== 'linux') skip('platform: only Linux has priorities per thread');
  const before = getPriority();
  begin();
  const { nice } = await thread.ask(now);
  expect(nice).toBe(10);
  expect(getPriority()).toBe(before);
});

it('gives its thread little memory for young objects', async () => {
  begin();
  // Two semi-spaces of 4 MB. Without a limit of its own, it takes several times as much.
  const { youngBytes } = await thread.ask({ kind: 'allocate' });
  expect(youngBytes).toBeLessThanOrEqual(9 * 2 ** 20);
});

it('fails only the call whose work throws', async () => {
  begin();
  const other = thread.ask(hold);
  await expect(thread.ask({ kind: 'throw' })).rejects.toMatchObject({
    message: 'not today',
    code: 'ENOTNOW',
  });
  await thread.ask(release);
  await expect(other).resolves.toMatchObject({ big: 2n ** 80n });
});

it.each([
  ['end', 'the thread has ended'],
  ['break', 'nobody caught this'],
] as const)(
  'fails all calls of a thread that ends (%s), and starts another for the next call',
  async (kind, message) => {
    begin();
    const { thread: first } = await thread.ask(now);
    const pending = thread.ask(hold);
    const ending = thread.ask({ kind });
    await expect(ending).rejects.toThrow(message);
    await expect(pending).rejects.toThrow(message);
    const { thread: second } = await thread.ask(now);
    expect(second).not.toBe(first);
  },
);

it('ends a thread that is idle, but not one that is busy', async () => {
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

it('fails pending calls when it is closed', async () => {
  begin();
  await thread.ask(now);
  const pending = thread.ask(hold);
  const refused = expect(pending).rejects.toThrow('the thread has ended');
  await thread.close();
  await refused;
});
