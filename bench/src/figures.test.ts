import { expect, test } from 'vitest';
import { atLeast, atMost, type Figure, spreadOf, verdictOf, type Yardstick } from './figures.ts';

const yardstick = (...values: number[]): Yardstick => ({ name: 'a loop', values, unit: 'ms' });
const steady = yardstick(10, 10.5);
const unsteady = yardstick(10, 25);

test.each<[string, Figure, Yardstick, string | undefined]>([
  ['no promise', { name: 'a', value: 7, unit: 'ms' }, unsteady, undefined],
  ['at the limit', atMost('a', 10, 'ms', 10), steady, 'kept'],
  ['above it by more than the spread', atMost('a', 12, 'ms', 10), steady, 'MISSED'],
  ['above it by less than the spread', atMost('a', 24, 'ms', 10), unsteady, 'noise'],
  ['above it by more than a wide spread', atMost('a', 26, 'ms', 10), unsteady, 'MISSED'],
  ['below a least rate, within the spread', atLeast('a', 0.5, '×', 0.6), unsteady, 'noise'],
  ['below a least rate, on a steady machine', atLeast('a', 0.5, '×', 0.6), steady, 'MISSED'],
  ['zero where some must be', atLeast('a', 0, '/s', 1), unsteady, 'MISSED'],
  ['one where none may be', atMost('a', 1, '', 0), unsteady, 'MISSED'],
  ['bytes, which no other work changes', atMost('a', 11, 'KB', 10), unsteady, 'MISSED'],
  ['its own yardstick before the machine’s', atMost('a', 12, 'ms', 10, steady), unsteady, 'MISSED'],
])('%s', (_name, figure, machine, verdict) => {
  expect(verdictOf(figure, machine)).toBe(verdict);
});

test('leaves single outliers of many samples out of the spread', () => {
  const values = Array.from({ length: 100 }, (_, index) => 10 + index / 100);
  expect(spreadOf(yardstick(...values, 500, 900))).toBeCloseTo(1.09, 1);
  expect(spreadOf(yardstick(10, 30))).toBe(3);
});
