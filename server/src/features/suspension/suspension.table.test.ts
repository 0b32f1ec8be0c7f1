import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stoppedParties, suspensionTable } from '@hengfu/contract/suspension';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Probe, probes } from '../../testing/stop-probes.ts';
import { StopWorld } from '../../testing/stop-world.ts';
import { TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const activities = Object.entries(suspensionTable) as [
  keyof typeof suspensionTable,
  (typeof suspensionTable)[keyof typeof suspensionTable],
][];
const cells = activities.flatMap(([activity, effects]) =>
  stoppedParties
    .filter((party) => effects[party] !== 'none')
    .map((party) => [activity, party, effects[party]] as const),
);

describe('what a suspension or a revocation stops', () => {
  it.each(cells)('%s of a stopped %s: %s', async (activity, party, effect) => {
    const probe: Probe = probes[activity];
    expect(await probe(await StopWorld.make(product), party)).toBe(effect);
  });

  it('matches the table on the operations page', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| (\S+) \| (\S+) \| (\S+) \|/gm)].map(
      ([, activity, person, merchant, key]) => [activity, { person, merchant, key }],
    );
    const expected = activities.map(([activity, effects]) => [
      activity,
      Object.fromEntries(
        stoppedParties.map((party) => [party, effects[party] === 'none' ? '–' : effects[party]]),
      ),
    ]);
    expect(documented.filter(([name]) => activities.some(([activity]) => activity === name))).toEqual(
      expected,
    );
  });
});
