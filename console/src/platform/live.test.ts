import { describe, expect, test } from 'vitest';
import { isOlder } from './live.ts';

const minute = 60_000;

describe('data that a page finds when it begins to listen', () => {
  test.each([
    ['fetched long after the last change', 10 * minute, 1 * minute, 10 * minute, false],
    ['fetched before a change that nobody on the page heard', 1 * minute, 2 * minute, 10 * minute, true],
    ['fetched just after a change, perhaps read before it', 2 * minute + 1000, 2 * minute, 10 * minute, true],
    ['fetched where nothing has changed so far', 10 * minute, 0, 10 * minute, false],
    ['on its way since a moment ago, with a change just now', 0, 10 * minute - 1000, 10 * minute, true],
    ['on its way, with no change of late', 0, 1 * minute, 10 * minute, false],
  ])('%s', (_name, fetched, changed, now, isOld) => {
    expect(isOlder(fetched, changed, now)).toBe(isOld);
  });
});
