import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Slices } from './slices.ts';

it('runs one slice per turn of the event loop, however much work waits', async () => {
  let slicesDone = 0;
  const work = async () => {
    const slices = new Slices();
    for (let slice = 0; slice < 5; slice++) {
      await slices.next();
      slicesDone++;
    }
  };
  const all = Promise.all(Array.from({ length: 20 }, work));
  let maxPerTurn = 0;
  for (let before = 0; slicesDone < 100; before = slicesDone) {
    await setImmediate();
    maxPerTurn = Math.max(maxPerTurn, slicesDone - before);
  }
  await all;
  // The check itself may run before or after the slice of its turn.
  expect(maxPerTurn).toBeLessThanOrEqual(2);
});
