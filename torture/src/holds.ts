import { needsBuildServer, skipReason } from '@hengfu/server/testing/obstacle.ts';
import { expect } from 'vitest';
import { Random, type Torture } from './torture.ts';

/** An arbitrary constant, so that a failure is reproducible. */
const seed = 20_260_101;

/** Runs the short form of a torture as a test. */
export async function holds(torture: Torture, skip: (reason: string) => void): Promise<void> {
  const obstacle = (torture.isForBuildServers ? needsBuildServer : undefined) ?? (await torture.obstacle());
  if (obstacle) skip(skipReason(obstacle));
  const { counts, faults } = await torture.run('short', new Random(seed));
  expect(faults, [JSON.stringify(counts), ...faults].join('\n')).toEqual([]);
}
