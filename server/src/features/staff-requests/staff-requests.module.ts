import { staffRequestEndpoints } from '@hengfu/contract/staff/requests';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { staffRequestHandlers } from './staff-requests.routes.ts';

/** Actions that need a second person. */
export function staffRequestsModule({ requests }: StaffDeps) {
  return {
    services: {},
    endpoints: () => [feature(staffRequestEndpoints, staffRequestHandlers(requests))],
    sweep: async () => void (await requests.expire()),
  } satisfies StaffModule;
}
