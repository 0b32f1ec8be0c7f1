import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readOrder, startPayment } from './cashier.api.ts';

const order = {
  status: 'toBePaid',
  amount: '1.00',
  currency: 'CNY',
  expiresAt: '2026-11-20T16:30:00Z',
  now: '2026-11-20T16:00:00Z',
  channels: [],
};

/** A server that replies, or one that never does. */
const replies = async () => Response.json(order);
const hangs = (_path: string, { signal }: { signal: AbortSignal }) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

beforeEach(() => {
  vi.useFakeTimers();
  // A phone of 2021: it can abort calls, but has no signal for a time or for several signals.
  vi.stubGlobal('AbortSignal', class {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the calls of an older phone', () => {
  it('read the order and start the payment', async () => {
    vi.stubGlobal('fetch', replies);
    expect(await readOrder('token', 'en', new AbortController().signal)).toEqual(order);
    expect(await startPayment('token', 'CN_BANK', 'en')).toEqual(order);
  });

  it('end after a time, and when the page stops waiting', async () => {
    vi.stubGlobal('fetch', hangs);
    const read = expect(readOrder('token', 'en', new AbortController().signal)).rejects.toThrow('offline');
    const paid = expect(startPayment('token', 'CN_BANK', 'en')).rejects.toThrow('offline');
    await vi.advanceTimersByTimeAsync(15_000);
    await read;
    await vi.advanceTimersByTimeAsync(35_000);
    await paid;
    const page = new AbortController();
    const stopped = expect(readOrder('token', 'en', page.signal)).rejects.toThrow('offline');
    page.abort();
    await stopped;
  });
});
