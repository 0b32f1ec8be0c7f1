import { staffAnnouncementEndpoints } from '@hengfu/contract/staff/announcements';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { staffAnnouncementHandlers } from './office/office.routes.ts';
import { Announcements } from './office/office.service.ts';

/** Announcements in the back office, by the same service as the operators' commands. */
export function staffAnnouncementsModule({ database }: StaffDeps) {
  const announcements = new Announcements(database);
  return {
    services: { announcements },
    endpoints: () => [feature(staffAnnouncementEndpoints, staffAnnouncementHandlers(announcements))],
  } satisfies StaffModule;
}
