import { expect, it } from 'vitest';
import { MerchantTurns, maxWaiting } from './merchant-turns.ts';

it('runs the work of a merchant one by one, whatever fails, and that of others beside it', async () => {
  const turns = new MerchantTurns();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const slow = turns.run(1n, async () => {
    await gate.promise;
    log.push('slow');
    throw new Error('a fault');
  });
  const next = turns.run(1n, async () => log.push('next'));
  const last = turns.run(1n, async () => log.push('last'));
  await turns.run(2n, async () => log.push('other'));
  expect(log).toEqual(['other']);
  gate.resolve();
  await expect(slow).rejects.toThrow('a fault');
  await Promise.all([next, last]);
  expect(log).toEqual(['other', 'slow', 'next', 'last']);
});

it('refuses a call beyond those that may wait, and one whose caller has left makes room', async () => {
  const turns = new MerchantTurns();
  const gate = Promise.withResolvers<void>();
  const done: number[] = [];
  const running = turns.run(1n, () => gate.promise);
  const leaving = new AbortController();
  const gone = turns.run(1n, async () => done.push(-1), leaving.signal);
  const waiting = Array.from({ length: maxWaiting - 1 }, (_, at) => turns.run(1n, async () => done.push(at)));
  const refused = { code: 'too_many_requests', retryAfterSeconds: expect.any(Number) };
  await expect(turns.run(1n, async () => done.push(-2))).rejects.toMatchObject(refused);
  expect(await turns.run(2n, async () => 'other')).toBe('other');
  leaving.abort();
  await expect(gone).rejects.toMatchObject(refused);
  const last = turns.run(1n, async () => done.push(maxWaiting));
  await expect(turns.run(1n, async () => done.push(-3), AbortSignal.abort())).rejects.toMatchObject(refused);
  gate.resolve();
  await Promise.all([running, ...waiting, last]);
  expect(done).toEqual([...Array.from({ length: maxWaiting - 1 }, (_, at) => at), maxWaiting]);
  expect(await turns.run(1n, async () => 'again')).toBe('again');
});
