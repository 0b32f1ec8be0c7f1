import { afterEach, expect, it, vi } from 'vitest';
import { unpackCalls } from '#domain/call-blocks.ts';
import { defaultBufferLimits } from '../request-buffer.ts';
import { BlockMemory } from './block-memory.ts';
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

it('holds pieces of doubled sizes, which are used again', () => {
  const memory = new BlockMemory();
  const [small, large] = [memory.take(0), memory.take(4097)];
  expect([small.length, large.length, memory.take(16_384).length]).toEqual([4096, 8192, 16_384]);
  memory.giveBack(small);
  memory.giveBack(large);
  expect(memory.take(5000)).toBe(large);
  expect(memory.take(5000)).not.toBe(large);
  expect(memory.take(1)).toBe(small);
});

it('leaves what was not needed for some seconds to be collected, however much else is', () => {
  vi.useFakeTimers();
  const memory = new BlockMemory();
  const burst = Array.from({ length: 8 }, () => memory.take(0));
  for (const piece of burst) memory.giveBack(piece);
  // A trickle of calls needs one piece at a time.
  for (let second = 0; second < 11; second++) {
    const piece = memory.take(0);
    expect(burst).toContain(piece);
    vi.advanceTimersByTime(1000);
    memory.giveBack(piece);
  }
  expect(burst).toContain(memory.take(0));
  expect(burst).not.toContain(memory.take(0));
  memory.giveBack(memory.take(8192));
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

it('blocks take no new memory under a steady load, in a thread too, and read nothing of earlier blocks', async () => {
  const blocks = new OpenBlocks(defaultBufferLimits, (error) => {
    throw error;
  });
  const takePortion = async (subject: string) => {
    for (let number = 0; number < 600; number++) blocks.add(callOf(number, subject));
    const { blocks: made } = await blocks.take(true);
    const calls = made.flatMap(({ content }) => unpackCalls(content));
    expect(new Set(calls.map(({ request_id }) => request_id)).size).toBe(600);
    expect(calls.every(({ request }) => JSON.stringify(request.value).includes(subject))).toBe(true);
  };
  await takePortion('a long subject, which fills more memory than the next portion needs');
  const allocated = vi.spyOn(globalThis, 'SharedArrayBuffer');
  await takePortion('short');
  await takePortion('another subject');
  expect(allocated).not.toHaveBeenCalled();
  await blocks.close();
});
