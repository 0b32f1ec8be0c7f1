import { exportScheduleEndpoints } from '@hengfu/contract/export-schedules';
import { exportEndpoints } from '@hengfu/contract/exports';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { ExportJobs, exportRecurring } from './exports.jobs.ts';
import { exportHandlers, exportScheduleHandlers } from './exports.routes.ts';
import { ExportService } from './exports.service.ts';
import type { ExportWritingOptions, WriteExport } from './exports.writing.ts';
import { ExportScheduleService, scheduleRecurring } from './schedules.service.ts';

/** Exports of lists to files, on demand or scheduled. `write` writes a file, possibly in another thread. */
export function exportsModule(
  { database, files }: ModuleDeps,
  { lists, write }: { lists: ExportWritingOptions['lists']; write: WriteExport },
) {
  const jobs = new ExportJobs({ database, store: files, write });
  const exports = new ExportService(database, files, lists);
  const exportSchedules = new ExportScheduleService(database, lists);
  return {
    services: { exports, exportSchedules },
    endpoints: () => [
      feature(exportEndpoints, exportHandlers(exports)),
      feature(exportScheduleEndpoints, exportScheduleHandlers(exportSchedules)),
    ],
    tasks: { exports: jobs.tasks, own: { ...jobs.sweeps, ...exportSchedules.tasks } },
    recurring: [...exportRecurring, ...scheduleRecurring],
  } satisfies FeatureModule;
}
