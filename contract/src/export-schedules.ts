import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { exportLists } from './export-columns.ts';
import { createExport, exportFormats } from './exports.ts';
import { instant } from './lists.ts';
import { phrase } from './phrase.ts';

/**
 * How often a scheduled export runs: after each day, week (from Monday) or month of its zone, covering that
 * period.
 */
export const exportPeriods = ['daily', 'weekly', 'monthly'] as const;
export type ExportPeriod = (typeof exportPeriods)[number];

const scheduledList = z.enum(exportLists, phrase('validation.choice')).exclude(['settlementLines']);
/** The lists that can be exported on a schedule: those with a time range, which the period fills. */
export const scheduledLists: readonly z.output<typeof scheduledList>[] = scheduledList.options;

/** Maximum scheduled exports of a merchant. */
export const maxSchedules = 20;

export const exportSchedule = z.object({
  id: z.string(),
  name: z.string(),
  list: z.enum(exportLists),
  format: z.enum(exportFormats),
  filters: z.record(z.string(), z.string()),
  zone: z.string(),
  every: z.enum(exportPeriods),
  /** When it runs next. */
  nextAt: instant,
  createdBy: z.string(),
});
export type ExportSchedule = z.output<typeof exportSchedule>;

/** A recurring export; the period replaces any time range among its filters. */
export const createSchedule = createExport.safeExtend({
  list: scheduledList,
  name: z
    .string(phrase('validation.nameRequired'))
    .trim()
    .min(1, phrase('validation.nameRequired'))
    .max(60, phrase('validation.tooLong')),
  every: z.enum(exportPeriods, phrase('validation.choice')),
});
export type CreateSchedule = z.output<typeof createSchedule>;

export const exportScheduleEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/export-schedules',
    summary: 'Lists the merchant’s scheduled exports by next run.',
    access: 'session',
    perm: 'exports.read',
    status: 200,
    reply: z.object({ data: z.array(exportSchedule) }),
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/merchant/export-schedules',
    summary: 'Schedules a daily, weekly or monthly export of a list.',
    access: 'session',
    perm: 'exports.create',
    body: createSchedule,
    status: 201,
    reply: z.object({ data: exportSchedule }),
    errors: [],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/merchant/export-schedules/:id',
    summary: 'Stops a scheduled export; its files are kept.',
    access: 'session',
    perm: 'exports.create',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    status: 204,
    errors: ['not_found'],
  }),
};
