import { collectionQuery } from '@hengfu/contract/collections';
import { expect, test } from 'vitest';
import { parsePlainSearch, searchOf, stringifyPlainSearch } from './search.ts';

test('an address stays as it was typed', () => {
  for (const text of ['', '?status=paid,success&trade_no=123', '?createdFrom=2026-03-04T00:00:00%2B08:00']) {
    expect(stringifyPlainSearch(parsePlainSearch(text))).toBe(text);
  }
});

test('numbers and JSON in an address are text', () => {
  expect(parsePlainSearch('?a=1&b=true&c={"d":1}')).toEqual({ a: '1', b: 'true', c: '{"d":1}' });
});

test('empty values are left out', () => {
  expect(stringifyPlainSearch({ a: '', b: undefined, c: null, d: '0' })).toBe('?d=0');
});

test('what a list’s query does not take is dropped, the rest stays text', () => {
  const validate = searchOf(collectionQuery);
  expect(
    validate({ status: 'paid,success', limit: '50', amountFrom: 'abc', colour: 'red', createdFrom: 'now' }),
  ).toEqual({ status: 'paid,success', limit: '50' });
  expect(validate({ status: 'paid,nonsense', limit: '7' })).toEqual({});
});
