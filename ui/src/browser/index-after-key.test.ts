import { expect, it } from 'vitest';
import { indexAfterKey } from './index-after-key.ts';

it.each([
  ['ArrowRight', undefined, 0],
  ['ArrowLeft', undefined, 3],
  ['ArrowRight', 1, 2],
  ['ArrowRight', 3, 3],
  ['ArrowLeft', 0, 0],
  ['Home', 2, 0],
  ['End', 1, 3],
  ['Enter', 1, undefined],
])('%s from %s of four leads to %s', (key, from, to) => {
  expect(indexAfterKey(key, from, 4)).toBe(to);
});
