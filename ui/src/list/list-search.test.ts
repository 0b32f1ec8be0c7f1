import { collectionQuery } from '@hengfu/contract/collections';
import { settlementQuery } from '@hengfu/contract/settlements';
import { expect, test } from 'vitest';
import { openKeyOf } from './list-address.ts';
import {
  changedSearch,
  choicesOf,
  choiceText,
  clearedFilters,
  isFiltered,
  openedSearch,
  openHref,
  queryOf,
} from './list-search.ts';
import type { ListFilter } from './list-types.ts';

const filters: ListFilter[] = [
  { kind: 'text', name: 'trade_no', label: 'collections.trade_no' },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'collections.createdAt' },
];

test('queryOf takes the list’s own parameters and drops invalid values', () => {
  const search = {
    status: 'paid,success',
    createdFrom: '2026-11-19T16:00:00Z',
    amountFrom: '1e3',
    limit: '7',
    open: 'C1',
    foo: '1',
    'lines.cursor': 'abc',
  };
  expect(queryOf(collectionQuery, search)).toEqual({
    status: 'paid,success',
    createdFrom: '2026-11-19T16:00:00Z',
  });
  expect(queryOf(settlementQuery, { ...search, 'lines.limit': '50' }, 'lines')).toEqual({
    cursor: 'abc',
    limit: '50',
  });
});

test('queryOf drops values that the endpoint rejects, and openKeyOf ignores empty and overlong keys', () => {
  expect(queryOf(settlementQuery, { status: 'gone', limit: '100', 'rows.limit': '50' })).toEqual({
    limit: '100',
  });
  expect(queryOf(settlementQuery, { 'lines.cursor': 'a b', 'lines.limit': '7' }, 'lines')).toEqual({});
  expect(openKeyOf({ open: 'S1' })).toBe('S1');
  expect(openKeyOf({ open: '' })).toBeUndefined();
  expect(openKeyOf({ open: 'S'.repeat(129) })).toBeUndefined();
});

test('changing a filter returns to the first page, and paging keeps the filters', () => {
  const search = { status: 'paid', cursor: 'abc', open: 'C1' };
  expect(changedSearch(search, { status: 'success' })).toEqual({ status: 'success', open: 'C1' });
  expect(changedSearch(search, { cursor: 'def' })).toEqual({ status: 'paid', cursor: 'def', open: 'C1' });
  expect(changedSearch(search, { status: undefined })).toEqual({ open: 'C1' });
});

test('a nested list changes only its own parameters', () => {
  const search = { cursor: 'abc', open: 'S1', 'lines.cursor': 'x' };
  expect(changedSearch(search, { limit: '50' }, 'lines.')).toEqual({
    cursor: 'abc',
    open: 'S1',
    'lines.limit': '50',
  });
});

test('opening and closing a row keeps the page and drops the nested list’s position', () => {
  const search = { cursor: 'abc', open: 'S1', 'lines.cursor': 'x' };
  expect(openedSearch(search, 'S2')).toEqual({ cursor: 'abc', open: 'S2' });
  expect(openedSearch(search, undefined)).toEqual({ cursor: 'abc' });
  expect(openHref('a b&c')).toBe('?open=a%20b%26c');
});

test('a filter is set by any of its parameters, and clearing removes all of them', () => {
  expect(isFiltered(filters, { cursor: 'abc', open: 'C1' })).toBe(false);
  expect(isFiltered(filters, { createdTo: '2026-11-19T16:00:00Z' })).toBe(true);
  const cleared = changedSearch(
    { trade_no: '1', createdFrom: 'x', limit: '50', cursor: 'abc' },
    clearedFilters(filters),
  );
  expect(cleared).toEqual({ limit: '50' });
});

test('choices are joined in the order in which they are offered', () => {
  expect(choicesOf('paid,success')).toEqual(['paid', 'success']);
  expect(choicesOf(undefined)).toEqual([]);
  expect(choiceText(new Set(['b', 'a', 'gone']), ['a', 'b', 'c'])).toBe('a,b');
  expect(choiceText(new Set(), ['a'])).toBeUndefined();
});
