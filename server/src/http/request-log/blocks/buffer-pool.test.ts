import { afterEach, expect, it, vi } from 'vitest';
import { unpackCalls } from '#domain/call-blocks.ts';
import { defaultBufferLimits } from '../request-buffer.ts';
import type { CallBlock } from './blocks.sql.ts';
import { BufferPool } from './buffer-pool.ts';
import type { CreatedCall } from './created-calls.ts';
import { OpenBlocks } from './open-blocks.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const callOf = (number: number, subject: string): CreatedCall => ({
  merchantId: 1n,
  keyId: `ak_${number % 10}`,
  secret: 'sk_1',
  path: '/openapi/v1/collections',
  address: '127.0.0.1',
  requestId: `01a22282-f065-7a6b-b407-${String(number).padStart(12, '0')}`,
  at: new Date(1_795_875_336_293),
  orderAt: new Date(1_795_875_336_000),
  elapsedMs: 5,
  rawBody: Buffer.from(JSON.stringify({ out_trade_no: `A${number}`, subject })),
  sentBody: '{"trade_no":"C261128132200000000000"}',
});

it('has buffers of doubled sizes, which are used again', () => {
  const pool = new BufferPool();
  const [small, large] = [pool.acquire(0), pool.acquire(4097)];
  expect([small.length, large.length, pool.acquire(16_384).length]).toEqual([4096, 8192, 16_384]);
  pool.release(small);
  pool.release(large);
  expect(pool.acquire(5000)).toBe(large);
  expect(pool.acquire(5000)).not.toBe(large);
  expect(pool.acquire(1)).toBe(small);
});

it('forgets buffers that were not needed for some seconds, although others were', () => {
  vi.useFakeTimers();
  const pool = new BufferPool();
  const burst = Array.from({ length: 8 }, () => pool.acquire(0));
  for (const buffer of burst) pool.release(buffer);
  // A trickle of calls needs one buffer at a time.
  for (let second = 0; second < 11; second++) {
    const buffer = pool.acquire(0);
    expect(burst).toContain(buffer);
    vi.advanceTimersByTime(1000);
    pool.release(buffer);
  }
  expect(burst).toContain(pool.acquire(0));
  expect(burst).not.toContain(pool.acquire(0));
  pool.release(pool.acquire(8192));
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

it('asks for a collection once it has left much memory to the garbage collector, which does not count it', () => {
  vi.useFakeTimers();
  const onMuchLeft = vi.fn();
  const pool = new BufferPool(onMuchLeft);
  const burst = (megabytes: number) => {
    for (const buffer of Array.from({ length: megabytes }, () => pool.acquire(2 ** 20))) pool.release(buffer);
    vi.advanceTimersByTime(10_000);
  };
  burst(10);
  expect(onMuchLeft).not.toHaveBeenCalled();
  burst(10);
  expect(onMuchLeft).toHaveBeenCalledOnce();
  burst(10);
  expect(onMuchLeft).toHaveBeenCalledOnce();
});

it('serves a steady load with the buffers it has, also for the thread, and no block has anything of another', async () => {
  const blocks = new OpenBlocks(defaultBufferLimits, (error) => {
    throw error;
  });
  const add = (subject: string) => {
    for (let number = 0; number < 600; number++) blocks.add(callOf(number, subject));
  };
  const expectPortion = (made: readonly CallBlock[], subject: string) => {
    const calls = made.flatMap(({ content }) => unpackCalls(content));
    expect(new Set(calls.map(({ request_id }) => request_id)).size).toBe(600);
    expect(calls.every(({ request }) => JSON.stringify(request.value).includes(subject))).toBe(true);
  };
  const allocations = vi.spyOn(globalThis, 'SharedArrayBuffer');
  add('first');
  let waiting = 'first';
  const passOn = async (subject: string) => {
    const taking = blocks.take(true);
    // While the thread reads those that waited.
    add(subject);
    expectPortion((await taking).blocks, waiting);
    waiting = subject;
  };
  const subjects = ['a long subject, which needs more memory than the next one', 'short', 'another subject'];
  for (const subject of [...subjects, ...subjects]) await passOn(subject);
  expect(allocations).toHaveBeenCalled();
  allocations.mockClear();
  for (const subject of subjects) await passOn(subject);
  expect(allocations).not.toHaveBeenCalled();
  await blocks.close();
});
