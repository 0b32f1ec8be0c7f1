import { expect, it } from 'vitest';
import { overlapHoursOf } from './overlap-hours.ts';

const hours = overlapHoursOf([0, 1, 24]);

it.each([
  [0, 0],
  [24, 24],
  ['0', 0],
  ['1', 1],
  ['24', 24],
])('%j is a choice', (input, read) => {
  expect(hours.parse(input)).toBe(read);
});

it.each([
  null,
  undefined,
  '',
  ' ',
  '1 ',
  '0x1',
  '1e0',
  '00',
  '000',
  '024',
  '168',
  '١',
  '-0',
  '2',
  2,
  0.5,
  Number.NaN,
  true,
  false,
  [],
  [1],
  {},
])('%j is no choice', (input) => {
  expect(hours.safeParse(input).success).toBe(false);
});
