import { expect, test } from 'vitest';
import { Random } from './torture.ts';
import { tortures } from './tortures.ts';

/** Any number: the same each time, so that what fails here fails again. */
const seed = 20_260_101;

test.concurrent.each(Object.entries(tortures))('%s', async (_name, torture) => {
  const obstacle = await torture.obstacle();
  if (obstacle !== undefined) return;
  const { counts, faults } = await torture.run('short', new Random(seed));
  expect(faults, JSON.stringify(counts)).toEqual([]);
});
