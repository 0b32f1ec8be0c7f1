import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Slices } from './slices.ts';

it('one slice is done between two turns of everybody else, however much work waits', async () => {
  let slicesDone = 0;
  const work = async () => {
    const slices = new Slices();
    for (let slice = 0; slice < 5; slice++) {
      await slices.next();
      slicesDone++;
    }
  };
  const all = Promise.all(Array.from({ length: 20 }, work));
  let most = 0;
  for (let before = 0; slicesDone < 100; before = slicesDone) {
    await setImmediate();
    most = Math.max(most, slicesDone - before);
  }
  await all;
  // The look itself may come before or behind the slice of its turn.
  expect(most).toBeLessThanOrEqual(2);
});
