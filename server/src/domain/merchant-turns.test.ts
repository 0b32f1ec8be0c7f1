import { expect, it } from 'vitest';
import { MerchantTurns } from './merchant-turns.ts';

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
