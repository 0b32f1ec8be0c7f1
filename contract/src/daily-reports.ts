import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { countDays, maxListedDays } from './listed-days.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';
import { phrase } from './phrase.ts';

/** Maximum days of a report by month, or of an exported one. */
export const maxReportDays = 366;

const quarterMinutes = 15;
const westernmostMinutes = -12 * 60;
const easternmostMinutes = 14 * 60;

/** Every UTC offset that a report can use, from −12:00 to +14:00 in quarter hours: "+08:00". */
export const utcOffsets: readonly string[] = Array.from(
  { length: (easternmostMinutes - westernmostMinutes) / quarterMinutes + 1 },
  (_, index) => offsetOf(westernmostMinutes + index * quarterMinutes),
);

/** Formats an offset in minutes as the calls write it. */
export function offsetOf(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (figure: number) => String(figure).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Returns how many minutes an offset is ahead of UTC. */
export function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Returns the first instant of a calendar day under an offset. */
export function startOfDayAt(date: string, offset: string): Date {
  return new Date(`${date}T00:00:00${offset}`);
}

const known = new Set(utcOffsets);
const utcOffset = z.string().refine((text) => known.has(text), phrase('validation.utcOffset'));

const figures = {
  collectionAmount: amount,
  collectionCount: z.number().int(),
  collectionFee: amount,
  /** Given back to payers on these days, whenever they had paid; and the part of the fee that was returned with it. */
  refundAmount: amount,
  refundCount: z.number().int(),
  refundFee: amount,
  paymentAmount: amount,
  paymentCount: z.number().int(),
  paymentFee: amount,
  settlementAmount: amount,
  settlementCount: z.number().int(),
};

/** One day under the offset: what was collected, paid out and settled. */
export const dailyReport = z.object({
  date: z.iso.date(),
  ...figures,
  /** When the last settlement of the day took place; null if there was none. */
  settlementAt: instant.nullable(),
  utcOffset: z.string(),
});
export type DailyReport = z.output<typeof dailyReport>;

/** The days of a calendar month that lie in a range. */
export const monthlyReport = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  /** Its first and last day in the range. */
  from: z.iso.date(),
  to: z.iso.date(),
  ...figures,
  /** When the last settlement of these days took place; null if there was none. */
  settlementAt: instant.nullable(),
  utcOffset: z.string(),
});
export type MonthlyReport = z.output<typeof monthlyReport>;

export const dailyTotals = z.object(figures);
export type DailyTotals = z.output<typeof dailyTotals>;

const days = {
  offset: utcOffset,
  /** First and last day, both included. */
  from: z.iso.date(phrase('validation.date')),
  to: z.iso.date(phrase('validation.date')),
};

function checkDays(range: { from: string; to: string }, context: z.RefinementCtx): void {
  const count = countDays(range);
  if (count < 1) context.addIssue({ code: 'custom', path: ['to'], message: phrase('validation.daysOrder') });
  if (count > maxReportDays)
    context.addIssue({ code: 'custom', path: ['to'], message: phrase('validation.tooManyDays') });
}

export const dailyReportQuery = z.strictObject(days).superRefine(checkDays);
export type DailyReportQuery = z.output<typeof dailyReportQuery>;

export const listedDaysQuery = dailyReportQuery.superRefine((range, context) => {
  if (countDays(range) > maxListedDays && countDays(range) <= maxReportDays)
    context.addIssue({ code: 'custom', path: ['to'], message: phrase('validation.tooManyListedDays') });
});

const movedFigures = z.object({ count: z.number().int(), amount });

/** Orders between the midnights of two offsets, which assign them to different days. */
export const movedOrders = z.object({
  /** From the earlier of the two midnights, until the later one. */
  from: instant,
  to: instant,
  day: z.iso.date(),
  otherDay: z.iso.date(),
  collections: movedFigures,
  payouts: movedFigures,
});
export type MovedOrders = z.output<typeof movedOrders>;

export const movedQuery = z.strictObject({ ...days, other: utcOffset }).superRefine(checkDays);
export type MovedQuery = z.output<typeof movedQuery>;

export const dailyReportEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/daily-reports',
    summary: 'Lists each day of a range in a UTC offset, newest first, with totals.',
    access: 'session',
    perm: 'funds.read',
    query: listedDaysQuery,
    status: 200,
    reply: z.object({ data: z.array(dailyReport), totals: dailyTotals, currency }),
    errors: [],
  }),
  months: endpoint({
    method: 'GET',
    path: '/api/merchant/daily-reports/months',
    summary: 'Lists each calendar month of a range in a UTC offset, newest first, with totals.',
    access: 'session',
    perm: 'funds.read',
    query: dailyReportQuery,
    status: 200,
    reply: z.object({ data: z.array(monthlyReport), totals: dailyTotals, currency }),
    errors: [],
  }),
  moved: endpoint({
    method: 'GET',
    path: '/api/merchant/daily-reports/moved',
    summary:
      'Lists the orders that fall on different dates in two UTC offsets; midnights without any are omitted.',
    access: 'session',
    perm: 'funds.read',
    query: movedQuery,
    status: 200,
    reply: z.object({ data: z.array(movedOrders), currency }),
    errors: [],
  }),
};
