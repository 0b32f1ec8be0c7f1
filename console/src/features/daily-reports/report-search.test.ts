import { expect, it } from 'vitest';
import { instantsOf, knownOffset, reportOf, todayAt } from './report-search.ts';

const nowMs = Date.parse('2026-11-21T20:30:00Z');
const hourMs = 3_600_000;

it('defaults to the last thirty days at the zone’s offset', () => {
  expect(reportOf({}, nowMs, 8 * hourMs)).toEqual({ offset: '+08:00', from: '2026-10-24', to: '2026-11-22' });
  expect(reportOf({}, nowMs, -3.5 * hourMs)).toMatchObject({ offset: '-03:30', to: '2026-11-21' });
});

it('takes valid parameters and replaces invalid ones by the defaults', () => {
  expect(reportOf({ offset: '+05:45', from: '2026-01-01', to: '2026-01-02' }, nowMs, 0)).toEqual({
    offset: '+05:45',
    from: '2026-01-01',
    to: '2026-01-02',
  });
  expect(reportOf({ offset: '+99:00' }, nowMs, 0).offset).toBe('+00:00');
  expect(knownOffset('+00:10')).toBeUndefined();
  expect(reportOf({ from: 'x', to: '2026-13-45' }, nowMs, 0)).toMatchObject({
    from: '2026-10-23',
    to: '2026-11-21',
  });
});

it('finds today and the start and end of days at an offset', () => {
  expect(todayAt('+14:00', nowMs)).toBe('2026-11-22');
  expect(todayAt('-12:00', nowMs)).toBe('2026-11-21');
  expect(instantsOf({ from: '2026-11-20', to: '2026-11-21' }, '+05:30')).toEqual({
    from: '2026-11-19T18:30:00.000Z',
    to: '2026-11-21T18:30:00.000Z',
  });
});
