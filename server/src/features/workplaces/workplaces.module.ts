import { workplaceEndpoints } from '@hengfu/contract/workplaces';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { workplaceHandlers } from './workplaces.routes.ts';
import { WorkplaceService } from './workplaces.service.ts';

/** The merchants that a person works for: the choice after sign-in, and the switch. */
export function workplacesModule({ database }: ModuleDeps) {
  const workplaces = new WorkplaceService(database);
  return {
    services: { workplaces },
    endpoints: (guards) => [feature(workplaceEndpoints, workplaceHandlers(workplaces, guards))],
  } satisfies FeatureModule;
}
