import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take longest, by a part of their path; the longest first. */
const slow = [
  'torture/src/tortures.test.ts',
  'killed-worker.test.ts',
  'callbacks.fair.test.ts',
  'process/product.test.ts',
  'dead-peer-detection.test.ts',
  'payouts/payouts.test.ts',
  'collections.life.test.ts',
  'process/fleet.test.ts',
  'composition/lists.plans.test.ts',
  'sessions.model.test.ts',
];

/** Starts the longest test files first, so that no worker is still busy with one when the others are done. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slow.findIndex((part) => moduleId.endsWith(part));
      return index < 0 ? slow.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
