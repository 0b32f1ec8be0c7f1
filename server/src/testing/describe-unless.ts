import { describe, it } from 'vitest';
import { type Obstacle, skipReason } from './obstacle.ts';

/** Describes tests, unless an obstacle prevents them: then reports one skipped test with the reason. */
export function describeUnless(obstacle: Obstacle | undefined, title: string, body: () => void): void {
  if (!obstacle) return void describe(title, body);
  describe(title, () => {
    it('runs', ({ skip }) => skip(skipReason(obstacle)));
  });
}
