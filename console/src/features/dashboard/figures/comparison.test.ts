import { expect, it } from 'vitest';
import { changeOf, directionOf, rateChangeOf } from './comparison.ts';

it('compares amounts and counts as a share of the figure before', () => {
  expect(changeOf('150.00', '100.00')).toEqual({ kind: 'share', by: 0.5 });
  expect(changeOf(5, 20)).toEqual({ kind: 'share', by: -0.75 });
  expect(changeOf('0.00', '100.00')).toEqual({ kind: 'share', by: -1 });
});

it('compares nothing with nothing, nor anything with nothing', () => {
  expect(changeOf('10.00', '0.00')).toBeUndefined();
  expect(changeOf(0, 0)).toBeUndefined();
  expect(rateChangeOf(0.5, null)).toBeUndefined();
  expect(rateChangeOf(null, 0.5)).toBeUndefined();
});

it('compares rates in points', () => {
  expect(rateChangeOf(0.95, 0.9)?.by).toBeCloseTo(5);
  expect(rateChangeOf(0.95, 0.9)?.kind).toBe('points');
  expect(rateChangeOf(0, 0)).toEqual({ kind: 'points', by: 0 });
});

it('calls a change that rounds to nothing none', () => {
  expect(directionOf({ kind: 'share', by: 0.0004 })).toBe('same');
  expect(directionOf({ kind: 'share', by: -0.0006 })).toBe('less');
  expect(directionOf({ kind: 'points', by: 0.04 })).toBe('same');
  expect(directionOf({ kind: 'points', by: 0.06 })).toBe('more');
});
