import { expect, test } from 'vitest';
import { type HeldPage, holdPage } from './held-page.ts';
import type { ListReply } from './list-types.ts';

interface Row {
  id: string;
  status: string;
}

const page = (...rows: string[]): ListReply<Row> => ({
  data: rows.map((text) => ({ id: text.slice(0, 1), status: text.slice(1) })),
  next: null,
  previous: null,
  total: { count: rows.length, exact: true },
  at: '2026-01-01T00:00:00Z',
});
const nothing: HeldPage<Row> = {
  source: undefined,
  pageId: '',
  page: undefined,
  changes: new Map(),
  isOutdated: false,
};
const keyOf = (row: Row) => row.id;
const shown = (held: HeldPage<Row>) => held.page?.data.map((row) => row.id + row.status).join(' ');
const first = holdPage(nothing, page('c:new', 'b:paid', 'a:new'), 'p', true, keyOf);

test('shows the first reply as is, with nothing highlighted', () => {
  expect(shown(first)).toBe('c:new b:paid a:new');
  expect(first.changes.size).toBe(0);
});

test('highlights a changed row, and keeps the objects of the others', () => {
  const next = holdPage(first, page('c:paid', 'b:paid', 'a:new'), 'p', false, keyOf);
  expect(shown(next)).toBe('c:paid b:paid a:new');
  expect([...next.changes]).toEqual([['c', 1]]);
  expect(next.page?.data[1]).toBe(first.page?.data[1]);
  expect(next.isOutdated).toBe(false);
  const again = holdPage(next, page('c:done', 'b:paid', 'a:new'), 'p', false, keyOf);
  expect(again.changes.get('c')).toBe(2);
});

test('adds new rows at the top of the first page, highlighted', () => {
  const next = holdPage(first, page('d:new', 'c:new', 'b:paid'), 'p', true, keyOf);
  expect(shown(next)).toBe('d:new c:new b:paid');
  expect([...next.changes.keys()]).toEqual(['d']);
  expect(next.page?.data[1]).toBe(first.page?.data[0]);
});

test('elsewhere keeps the rows in place, updates known ones, and reports that it is outdated', () => {
  const next = holdPage(first, page('d:new', 'c:paid', 'b:paid'), 'p', false, keyOf);
  expect(shown(next)).toBe('c:paid b:paid a:new');
  expect(next.isOutdated).toBe(true);
  const caughtUp = holdPage(next, page('c:paid', 'b:paid', 'a:new'), 'p', false, keyOf);
  expect(caughtUp.isOutdated).toBe(false);
});

test('leads on from the rows that are shown, not from those that are held back', () => {
  const reply = (next: string, ...rows: string[]) => ({ ...page(...rows), next, previous: `before ${next}` });
  const held = holdPage(nothing, reply('a', 'c:new', 'b:paid', 'a:new'), 'p', true, keyOf);
  const later = holdPage(held, reply('b', 'd:new', 'c:new', 'b:paid'), 'p', false, keyOf);
  expect([later.page?.next, later.page?.previous]).toEqual(['a', 'before a']);
  const shownAgain = holdPage(later, reply('b', 'd:new', 'c:new', 'b:paid'), 'q', false, keyOf);
  expect(shownAgain.page?.next).toBe('b');
});

test('replaces everything for another page, without highlights', () => {
  const next = holdPage(first, page('z:new', 'c:paid'), 'q', false, keyOf);
  expect(shown(next)).toBe('z:new c:paid');
  expect(next.changes.size).toBe(0);
  expect(next.isOutdated).toBe(false);
});
