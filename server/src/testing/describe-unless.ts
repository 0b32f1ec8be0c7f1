import { describe, it } from 'vitest';
import { type Obstacle, skipReason } from './obstacle.ts';

/** Describes tests that an obstacle may prevent: all of them are then one skipped test that names the reason. */
export function describeUnless(obstacle: Obstacle | undefined, title: string, body: () => void): void {
  if (!obstacle) return void describe(title, body);
  describe(title, () => {
    it('runs', ({ skip }) => skip(skipReason(obstacle)));
  });
}
