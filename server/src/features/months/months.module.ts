import { Archiver } from '#archive/archiver.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { MonthsService, monthsRecurring } from './months.service.ts';

/** Keeps the partitions of the next months ready, and archives closed months. */
export function monthsModule({ database, archive, archiveAfterMonths }: ModuleDeps) {
  const archiver = new Archiver(database, archive);
  const months = new MonthsService({ database, archiver, archiveAfterMonths });
  return {
    services: { months, archiver },
    tasks: { own: months.tasks },
    recurring: monthsRecurring,
  } satisfies FeatureModule;
}
