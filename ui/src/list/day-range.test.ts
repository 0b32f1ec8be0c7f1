import { expect, test } from 'vitest';
import { daysOf, draftOf, isWholeDays, presetOf, presetRange, rangeOf } from './day-range.ts';

const shanghai = 'Asia/Shanghai';
const newYork = 'America/New_York';
const wholeDays = (day: string, last: string) => ({ from: { day, time: '' }, to: { day: last, time: '' } });

test('presets are whole days in the given zone, end exclusive', () => {
  // In London it is still the 19th.
  const nowMs = Date.parse('2026-11-19T16:30:00Z');
  expect(presetRange('today', nowMs, shanghai)).toEqual({
    from: '2026-11-19T16:00:00Z',
    to: '2026-11-20T16:00:00Z',
  });
  expect(presetRange('yesterday', nowMs, shanghai)).toEqual({
    from: '2026-11-18T16:00:00Z',
    to: '2026-11-19T16:00:00Z',
  });
  expect(presetRange('last7', nowMs, shanghai)).toEqual({
    from: '2026-11-13T16:00:00Z',
    to: '2026-11-20T16:00:00Z',
  });
});

test('a preset across a clock change starts and ends at local midnight', () => {
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  expect(presetRange('last30', nowMs, newYork)).toEqual({
    from: '2026-10-22T04:00:00Z',
    to: '2026-11-21T05:00:00Z',
  });
});

test('presetOf recognizes a preset only on the day on which it matches', () => {
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  const range = presetRange('yesterday', nowMs, shanghai);
  expect(presetOf(range, nowMs, shanghai)).toBe('yesterday');
  expect(presetOf({ ...range, from: '2026-11-18T16:00:00.000Z' }, nowMs, shanghai)).toBe('yesterday');
  expect(presetOf(range, nowMs + 86_400_000, shanghai)).toBeUndefined();
  expect(presetOf({ from: range.from, to: undefined }, nowMs, shanghai)).toBeUndefined();
});

test('a draft of whole days names the last day, not the day after', () => {
  const range = rangeOf(wholeDays('2026-11-01', '2026-11-20'), shanghai);
  expect(range).toEqual({ from: '2026-10-31T16:00:00Z', to: '2026-11-20T16:00:00Z' });
  if (typeof range === 'string') return;
  expect(draftOf(range, shanghai)).toEqual({
    from: { day: '2026-11-01', time: '00:00' },
    to: { day: '2026-11-20', time: '24:00' },
  });
  expect(isWholeDays(range, shanghai)).toBe(true);
  expect(isWholeDays(range, newYork)).toBe(false);
  expect(daysOf(range, shanghai)).toEqual({ first: '2026-11-01', last: '2026-11-20' });
});

test('a day with a skipped midnight survives editing', () => {
  const zone = 'America/Sao_Paulo';
  const range = rangeOf(wholeDays('2018-11-04', '2018-11-04'), zone);
  expect(range).toEqual({ from: '2018-11-04T03:00:00Z', to: '2018-11-05T02:00:00Z' });
  if (typeof range === 'string') return;
  expect(rangeOf(draftOf(range, zone), zone)).toEqual(range);
});

test('rangeOf accepts times to the minute and an open end', () => {
  expect(
    rangeOf({ from: { day: '2026-11-20', time: '09:30' }, to: { day: '', time: '' } }, shanghai),
  ).toEqual({ from: '2026-11-20T01:30:00Z', to: undefined });
});

test('rangeOf rejects invalid times and a reversed range', () => {
  expect(rangeOf(wholeDays('2026-02-30', ''), shanghai)).toBe('from');
  expect(rangeOf(wholeDays('20.11.2026', ''), shanghai)).toBe('from');
  expect(rangeOf({ from: { day: '', time: '' }, to: { day: '2026-11-20', time: '25:00' } }, shanghai)).toBe(
    'to',
  );
  expect(rangeOf({ from: { day: '', time: '10:00' }, to: { day: '', time: '' } }, shanghai)).toBe('from');
  expect(rangeOf(wholeDays('2026-11-20', '2026-11-19'), shanghai)).toBe('order');
});
