import { addDays, dayOf, instantAt, startOfDay, timeOf, toWire } from '../language/zone.ts';

/** A time range as in the contract's filters: `from` inclusive, `to` exclusive; either may be open. */
export interface InstantRange {
  from: string | undefined;
  to: string | undefined;
}

/** Preset ranges: whole days in the user's zone, up to and including today (or yesterday). */
export const dayPresets = ['today', 'yesterday', 'last7', 'last30'] as const;
export type DayPreset = (typeof dayPresets)[number];

const presetDays: Record<DayPreset, { back: number; days: number }> = {
  today: { back: 0, days: 1 },
  yesterday: { back: 1, days: 1 },
  last7: { back: 6, days: 7 },
  last30: { back: 29, days: 30 },
};

/** The time range of a preset as of now. */
export function presetRange(preset: DayPreset, nowMs: number, zone: string): Required<InstantRange> {
  const { back, days } = presetDays[preset];
  const first = addDays(dayOf(nowMs, zone), -back);
  return {
    from: toWire(startOfDay(first, zone)),
    to: toWire(startOfDay(addDays(first, days), zone)),
  };
}

/** The preset that a range equals, if any. */
export function presetOf(range: InstantRange, nowMs: number, zone: string): DayPreset | undefined {
  return dayPresets.find((preset) => {
    const { from, to } = presetRange(preset, nowMs, zone);
    return isSameInstant(from, range.from) && isSameInstant(to, range.to);
  });
}

function isSameInstant(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) === Date.parse(other);
}

/** An end of a range as the user edits it: a day and a clock time; both are '' for an open end. */
export interface WallTime {
  day: string;
  time: string;
}

/** A range being edited. An end at midnight is shown as `24:00` of the day before, the last day included. */
export interface RangeDraft {
  from: WallTime;
  to: WallTime;
}

const open: WallTime = { day: '', time: '' };

/** Converts a range to a draft in the zone. */
export function draftOf(range: InstantRange, zone: string): RangeDraft {
  return { from: startDraft(range.from, zone), to: endDraft(range.to, zone) };
}

function startDraft(from: string | undefined, zone: string): WallTime {
  const instantMs = Date.parse(from ?? '');
  if (Number.isNaN(instantMs)) return open;
  // If midnight was skipped, the day's first instant is 01:00, but the whole day is meant.
  const day = dayOf(instantMs, zone);
  return { day, time: startOfDay(day, zone) === instantMs ? '00:00' : timeOf(instantMs, zone) };
}

function endDraft(to: string | undefined, zone: string): WallTime {
  const start = startDraft(to, zone);
  return start.time === '00:00' ? { day: addDays(start.day, -1), time: '24:00' } : start;
}

/** The first and last day of a range; '' for an open end. */
export function daysOf(range: InstantRange, zone: string): { first: string; last: string } {
  const { from, to } = draftOf(range, zone);
  return { first: from.day, last: to.day };
}

/** Whether a range consists of whole days. */
export function isWholeDays(range: InstantRange, zone: string): boolean {
  const { from, to } = draftOf(range, zone);
  return (from.day === '' || from.time === '00:00') && (to.day === '' || to.time === '24:00');
}

/** The invalid end of a draft; `order`: the end is not after the start. */
export type DraftFault = 'from' | 'to' | 'order';

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Converts a draft to a range, or returns its fault. A day without a time means the whole day. */
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
  const clockTime = time === '' ? wholeDay : time;
  if (!isDay || !(clockTime === '24:00' || timePattern.test(clockTime))) return 'fault';
  return instantAt(day, clockTime, zone);
}
