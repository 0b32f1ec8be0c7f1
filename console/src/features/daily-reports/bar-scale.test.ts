import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaleOf } from './bar-scale.ts';

it('has round gridlines up to the largest value', () => {
  expect(scaleOf(87_000)).toEqual({ top: 100_000, lines: [25_000, 50_000, 75_000, 100_000] });
  expect(scaleOf(3)).toEqual({ top: 3, lines: [1, 2, 3] });
  expect(scaleOf(0)).toEqual({ top: 0.25, lines: [0.25] });
});

it('always has one to four gridlines, and room for every value', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (largest) => {
      const { top, lines } = scaleOf(largest);
      expect(lines.length).toBeGreaterThanOrEqual(1);
      expect(lines.length).toBeLessThanOrEqual(4);
      expect(top).toBeGreaterThanOrEqual(largest);
      expect(lines.at(-1)).toBe(top);
    }),
  );
});
