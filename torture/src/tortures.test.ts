import { skipReason } from '@hengfu/server/testing/obstacle.ts';
import { expect, test } from 'vitest';
import { Random, type Torture } from './torture.ts';
import { tortures } from './tortures.ts';

/** An arbitrary constant, so that a failure is reproducible. */
const seed = 20_260_101;

const all = Object.entries(tortures);
const small = all.filter(([, { isForBuildServers }]) => !isForBuildServers);
/** A cluster of three machines and the product in four processes need the machine for themselves. */
const large = all.filter(([, { isForBuildServers }]) => isForBuildServers);

test.concurrent.for(small)('%s', ([, torture], { skip }) => holds(torture, skip));
test.for(large)('%s', ([, torture], { skip }) => holds(torture, skip));

async function holds(torture: Torture, skip: (reason: string) => void): Promise<void> {
  if (torture.isForBuildServers && !process.env.CI)
    skip(skipReason({ kind: 'platform', reason: 'it takes minutes, so it runs with CI=true only' }));
  const obstacle = await torture.obstacle();
  if (obstacle) skip(skipReason(obstacle));
  const { counts, faults } = await torture.run('short', new Random(seed));
  expect(faults, [JSON.stringify(counts), ...faults].join('\n')).toEqual([]);
}
