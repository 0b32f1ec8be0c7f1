import { topics } from '@hengfu/contract/events';
import { beforeEach, expect, it } from 'vitest';
import { RecentChanges } from './recent-changes.ts';

let recent: RecentChanges;

beforeEach(() => {
  recent = new RecentChanges();
  recent.restart(0);
});

it('knows the changes of one merchant since a moment, with a second of tolerance', () => {
  recent.add(1n, ['payouts', 'account'], 10_000);
  recent.add(1n, ['account'], 20_000);
  recent.add(2n, ['notices'], 20_000);
  expect(recent.since(1n, 10_500, 21_000)).toEqual(['payouts', 'account']);
  expect(recent.since(1n, 11_500, 21_000)).toEqual(['account']);
  expect(recent.since(1n, 21_500, 22_000)).toEqual([]);
  expect(recent.since(3n, 10_500, 21_000)).toEqual([]);
});

it('names all topics for a moment of which it does not know everything', () => {
  expect(new RecentChanges().since(1n, 5_000, 5_000)).toEqual(topics);
  recent.add(1n, ['payouts'], 10_000);
  expect(recent.since(1n, 10_000, 80_000)).toEqual(topics);
  recent.restart(30_000);
  expect(recent.since(1n, 29_000, 31_000)).toEqual(topics);
  expect(recent.since(1n, 32_000, 33_000)).toEqual([]);
});

it('forgets merchants whose last change was over a minute ago', () => {
  for (let merchant = 1n; merchant <= 1000n; merchant++) recent.add(merchant, ['payouts'], Number(merchant));
  recent.add(1n, ['account'], 30_000);
  recent.add(2n, ['account'], 61_001);
  expect(recent.size).toBe(2);
});
