import { dailyReportEndpoints } from '@hengfu/contract/daily-reports';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { ClosedDays, closingRecurring } from './closed-days.ts';
import { dailyReportHandlers } from './daily-reports.routes.ts';

/** Daily and monthly reports, and the job that closes past days. */
export function dailyReportsModule({ database, snapshots }: ModuleDeps) {
  return {
    services: {},
    endpoints: () => [feature(dailyReportEndpoints, dailyReportHandlers(snapshots))],
    tasks: { own: new ClosedDays(database).tasks },
    recurring: closingRecurring,
  } satisfies FeatureModule;
}
