import { addDays, dayOf, instantAt, startOfDay, timeOf, toWire } from '../zone.ts';

/** A span of time as the contract's filters take it: `from` is in it, `to` is not; either may be open. */
export interface InstantRange {
  from: string | undefined;
  to: string | undefined;
}

/** Ready-made spans: whole days of the merchant's zone, up to and with today (or yesterday). */
export const dayPresets = ['today', 'yesterday', 'last7', 'last30'] as const;
export type DayPreset = (typeof dayPresets)[number];

const presetDays: Record<DayPreset, { back: number; days: number }> = {
  today: { back: 0, days: 1 },
  yesterday: { back: 1, days: 1 },
  last7: { back: 6, days: 7 },
  last30: { back: 29, days: 30 },
};

/** The instants that a ready-made span means now. */
export function presetRange(preset: DayPreset, nowMs: number, zone: string): Required<InstantRange> {
  const { back, days } = presetDays[preset];
  const first = addDays(dayOf(nowMs, zone), -back);
  return {
    from: toWire(startOfDay(first, zone)),
    to: toWire(startOfDay(addDays(first, days), zone)),
  };
}

/** The ready-made span that a range is, if it is one. */
export function presetOf(range: InstantRange, nowMs: number, zone: string): DayPreset | undefined {
  return dayPresets.find((preset) => {
    const { from, to } = presetRange(preset, nowMs, zone);
    return isSameInstant(from, range.from) && isSameInstant(to, range.to);
  });
}

function isSameInstant(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) === Date.parse(other);
}

/** An end of a range as people write it: a day and a clock time. An open end is two empty texts. */
export interface WallTime {
  day: string;
  time: string;
}

/** A range as it is edited. An end at midnight is the day before at `24:00`, so that the last day named is in it. */
export interface RangeDraft {
  from: WallTime;
  to: WallTime;
}

const open: WallTime = { day: '', time: '' };

/** The draft that shows a range in the zone. */
export function draftOf(range: InstantRange, zone: string): RangeDraft {
  return { from: startDraft(range.from, zone), to: endDraft(range.to, zone) };
}

function startDraft(from: string | undefined, zone: string): WallTime {
  const instantMs = Date.parse(from ?? '');
  if (Number.isNaN(instantMs)) return open;
  // Where midnight was skipped the day's first instant reads 01:00; it is still the whole day that is meant.
  const day = dayOf(instantMs, zone);
  return { day, time: startOfDay(day, zone) === instantMs ? '00:00' : timeOf(instantMs, zone) };
}

function endDraft(to: string | undefined, zone: string): WallTime {
  const start = startDraft(to, zone);
  return start.time === '00:00' ? { day: addDays(start.day, -1), time: '24:00' } : start;
}

/** The first and last day that a range touches. */
export function daysOf(range: InstantRange, zone: string): { first: string; last: string } {
  const { from, to } = draftOf(range, zone);
  return { first: from.day, last: to.day };
}

/** Whether a range is made of whole days, so that the days alone describe it. */
export function isWholeDays(range: InstantRange, zone: string): boolean {
  const { from, to } = draftOf(range, zone);
  return (from.day === '' || from.time === '00:00') && (to.day === '' || to.time === '24:00');
}

/** What is wrong with a draft: an end that is no time, or an end that is not after the start. */
export type DraftFault = 'from' | 'to' | 'order';

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The range that a draft means, or what is wrong with it. A day without a time is the whole day. */
export function rangeOf(draft: RangeDraft, zone: string): InstantRange | DraftFault {
  const from = instantOf(draft.from, '00:00', zone);
  if (from === 'fault') return 'from';
  const to = instantOf(draft.to, '24:00', zone);
  if (to === 'fault') return 'to';
  if (from !== undefined && to !== undefined && to <= from) return 'order';
  return {
    from: from === undefined ? undefined : toWire(from),
    to: to === undefined ? undefined : toWire(to),
  };
}

function instantOf({ day, time }: WallTime, wholeDay: string, zone: string): number | undefined | 'fault' {
  if (day === '') return time === '' || time === wholeDay ? undefined : 'fault';
  const isDay =
    dayPattern.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && addDays(day, 0) === day;
  const given = time === '' ? wholeDay : time;
  if (!isDay || !(given === '24:00' || timePattern.test(given))) return 'fault';
  return instantAt(day, given, zone);
}
