import { collectionQuery } from '@hengfu/contract/collections';
import { expect, test } from 'vitest';
import { parsePlainSearch, searchOf, stringifyPlainSearch } from './search.ts';

test('round-trips an address unchanged', () => {
  for (const text of ['', '?status=paid,success&trade_no=123', '?createdFrom=2026-03-04T00:00:00%2B08:00']) {
    expect(stringifyPlainSearch(parsePlainSearch(text))).toBe(text);
  }
});

test('keeps numbers and JSON as text', () => {
  expect(parsePlainSearch('?a=1&b=true&c={"d":1}')).toEqual({ a: '1', b: 'true', c: '{"d":1}' });
});

test('omits empty values', () => {
  expect(stringifyPlainSearch({ a: '', b: undefined, c: null, d: '0' })).toBe('?d=0');
});

test('drops parameters that the list’s schema rejects, and keeps the others as text', () => {
  const validate = searchOf(collectionQuery);
  expect(
    validate({ status: 'paid,success', limit: '50', amountFrom: 'abc', colour: 'red', createdFrom: 'now' }),
  ).toEqual({ status: 'paid,success', limit: '50' });
  expect(validate({ status: 'paid,nonsense', limit: '7' })).toEqual({});
});
