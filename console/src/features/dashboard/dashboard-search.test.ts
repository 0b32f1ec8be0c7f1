import { expect, it } from 'vitest';
import { periodOf } from './dashboard-search.ts';

it('reads the period from the address', () => {
  expect(periodOf({})).toEqual({ query: { period: 'today' } });
  expect(periodOf({ period: 'days30' })).toEqual({ query: { period: 'days30' } });
  expect(periodOf({ period: 'range', from: '2026-01-01', to: '2026-01-31' })).toEqual({
    query: { period: 'range', from: '2026-01-01', to: '2026-01-31' },
  });
});

it('shows today instead of a period that does not exist, and ignores parameters that it does not know', () => {
  expect(periodOf({ period: 'century' })).toEqual({ query: { period: 'today' } });
  expect(periodOf({ period: 'days7', from: 'x', utm: 'y' })).toEqual({ query: { period: 'days7' } });
});

it('says what is wrong with a range', () => {
  const today = { period: 'today' };
  expect(periodOf({ period: 'range', from: '2026-01-02', to: '2026-01-01' })).toEqual({
    query: today,
    fault: 'validation.daysOrder',
  });
  expect(periodOf({ period: 'range', from: '2026-01-01', to: '2026-04-03' })).toEqual({
    query: today,
    fault: 'validation.tooManyPeriodDays',
  });
  expect(periodOf({ period: 'range', from: 'soon' })).toEqual({ query: today, fault: 'validation.date' });
});
