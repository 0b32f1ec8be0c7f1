import type { FeatureModule, ModuleDeps } from '../module.ts';
import { MonthsService, monthsRecurring } from './months.service.ts';

/** Keeps the partitions of the next months ready. */
export function monthsModule({ database }: ModuleDeps) {
  const months = new MonthsService(database);
  return {
    services: { months },
    tasks: { own: months.tasks },
    recurring: monthsRecurring,
  } satisfies FeatureModule;
}
