import { expect, test } from 'vitest';
import { type KeptPage, nextKeptPages } from './active-page.ts';

const NoContent = () => null;
const page = (path: KeptPage['path'], search: KeptPage['search'] = {}): KeptPage => ({
  path,
  Component: NoContent,
  search,
});
const payments = page('/collection/payments');
const funds = page('/fund/fundWater');
const exports = page('/lineExport');
const on = (active: KeptPage) => ({ path: active.path, page: active, redirectsTo: undefined });
const hasTag =
  (...tagged: KeptPage[]) =>
  ({ path }: KeptPage) =>
    tagged.some((other) => other.path === path);

test('keeps the page on screen and those with a tag, each with its address', () => {
  expect(nextKeptPages([payments, exports], on(funds), undefined, hasTag(payments))).toEqual([
    payments,
    funds,
  ]);
  const filtered = page('/collection/payments', { status: 'paid' });
  expect(nextKeptPages([payments, funds], on(filtered), undefined, hasTag(funds))).toEqual([filtered, funds]);
});

test('returns the same array if neither pages nor addresses have changed', () => {
  const before = [payments, funds];
  const again = page('/fund/fundWater', { status: undefined });
  expect(nextKeptPages(before, on(again), undefined, hasTag(payments))).toBe(before);
});

test('adds the page that is expected, and drops it once another one is', () => {
  const ahead = nextKeptPages([payments], on(payments), funds, hasTag(payments));
  expect(ahead).toEqual([payments, funds]);
  expect(nextKeptPages(ahead, on(payments), funds, hasTag(payments))).toBe(ahead);
  const changed = nextKeptPages(ahead, on(payments), exports, hasTag(payments));
  expect(nextKeptPages(changed, on(payments), exports, hasTag(payments))).toEqual([payments, exports]);
  expect(nextKeptPages(ahead, on(payments), undefined, hasTag(payments))).toEqual([payments]);
});

test('the expected page stays as it is when it is opened', () => {
  const ahead = [payments, funds];
  const opened = nextKeptPages(ahead, on(page('/fund/fundWater')), funds, hasTag(payments));
  expect(opened).toBe(ahead);
  expect(nextKeptPages(opened, on(page('/fund/fundWater')), undefined, hasTag(payments))).toBe(ahead);
});

test('an expected page that has a tag is not added twice', () => {
  const filtered = page('/fund/fundWater', { type: 'payout' });
  expect(nextKeptPages([filtered, payments], on(payments), funds, hasTag(filtered, payments))).toEqual([
    filtered,
    payments,
  ]);
});
