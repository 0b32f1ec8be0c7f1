import { statusEndpoints } from '@hengfu/contract/status';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { StatusIncidents } from './status.incidents.ts';
import { statusHandlers } from './status.routes.ts';
import { StatusSampler, statusRecurring } from './status.sampler.ts';
import { StatusService } from './status.service.ts';
import { StatusWatch } from './status.watch.ts';

/** The status page, its samples and its incidents. */
export function statusModule({ database }: ModuleDeps) {
  const sampler = new StatusSampler(database);
  const status = new StatusService(database);
  return {
    services: {
      status,
      statusWatch: new StatusWatch(database, sampler),
      incidents: new StatusIncidents(database),
    },
    endpoints: () => [feature(statusEndpoints, statusHandlers(status))],
    tasks: { own: sampler.tasks },
    recurring: statusRecurring,
  } satisfies FeatureModule;
}
