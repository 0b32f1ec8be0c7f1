import { afterEach, expect, test, vi } from 'vitest';
import { send } from './request.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Sends a body; returns the limit of the call in ms. */
async function limitOf(body: BodyInit | null): Promise<number | undefined> {
  vi.stubGlobal('fetch', async () => new Response());
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await send('/api', { method: 'POST', body });
  return timeout.mock.lastCall?.[0];
}

test('a file has the time that the server lets it take, beyond that of every call', async () => {
  expect(await limitOf('{}')).toBe(50_000);
  expect(await limitOf(null)).toBe(50_000);
  expect(await limitOf(new Blob(['x'.repeat(64 * 1024 * 10)]))).toBe(60_000);
});
