import { staffIncidentEndpoints } from '@hengfu/contract/staff/incidents';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { staffIncidentHandlers } from './incidents/incidents.routes.ts';
import { StatusIncidents } from './status.incidents.ts';

/** Incidents in the back office, by the same service as the operators' commands. */
export function incidentsModule({ database }: StaffDeps) {
  return {
    services: {},
    endpoints: () => [feature(staffIncidentEndpoints, staffIncidentHandlers(new StatusIncidents(database)))],
  } satisfies StaffModule;
}
