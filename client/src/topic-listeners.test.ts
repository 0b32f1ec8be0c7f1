import { describe, expect, test, vi } from 'vitest';
import { mayBeStale, TopicListeners } from './topic-listeners.ts';

const minute = 60_000;

describe('cached data of a page that starts listening may be stale', () => {
  test.each([
    ['not if fetched long after the last change', 10 * minute, 1 * minute, 10 * minute, false],
    ['if fetched before a change that the page missed', 1 * minute, 2 * minute, 10 * minute, true],
    [
      'if fetched just after a change, because it may have been read before',
      2 * minute + 1000,
      2 * minute,
      10 * minute,
      true,
    ],
    ['not if nothing has changed so far', 10 * minute, 0, 10 * minute, false],
    ['if being fetched, with a change just now', 0, 10 * minute - 1000, 10 * minute, true],
    ['not if being fetched, without a recent change', 0, 1 * minute, 10 * minute, false],
  ])('%s', (_name, fetchedMs, changedMs, nowMs, isStale) => {
    expect(mayBeStale(fetchedMs, changedMs, nowMs)).toBe(isStale);
  });
});

test('listeners hear of their topics, and learn when these changed although nobody listened', () => {
  vi.useFakeTimers({ now: 1000 });
  const listeners = new TopicListeners<'payouts' | 'account'>();
  const calls: string[] = [];
  const remove = listeners.listen(['payouts'], () => calls.push('payouts'));
  listeners.listen(['account'], () => calls.push('account'));
  listeners.changed(['payouts']);
  listeners.changed(undefined);
  remove();
  vi.setSystemTime(2000);
  listeners.changed(['payouts']);
  expect(calls).toEqual(['payouts', 'payouts', 'account']);
  expect([listeners.changedMs(['account']), listeners.changedMs(['account', 'payouts'])]).toEqual([
    1000, 2000,
  ]);
  expect(new TopicListeners().changedMs(['payouts'])).toBe(0);
  vi.useRealTimers();
});
