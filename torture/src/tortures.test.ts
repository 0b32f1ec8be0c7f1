import { skipReason } from '@hengfu/server/testing/obstacle.ts';
import { expect, test } from 'vitest';
import { Random } from './torture.ts';
import { tortures } from './tortures.ts';

/** An arbitrary constant, so that a failure is reproducible. */
const seed = 20_260_101;

test.concurrent.for(Object.entries(tortures))('%s', async ([, torture], { skip }) => {
  if (torture.isForBuildServers && !process.env.CI)
    skip(skipReason({ kind: 'platform', reason: 'it takes minutes, so it runs with CI=true only' }));
  const obstacle = await torture.obstacle();
  if (obstacle) skip(skipReason(obstacle));
  const { counts, faults } = await torture.run('short', new Random(seed));
  expect(faults, JSON.stringify(counts)).toEqual([]);
});
