import { staffAnnouncementEndpoints } from '@hengfu/contract/staff/announcements';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { staffAnnouncementHandlers } from './office/office.routes.ts';
import { Announcements, announcementEffects } from './office/office.service.ts';

/** Announcements in the back office, by the same service as the operators' commands. */
export function staffAnnouncementsModule({ database, requests }: StaffDeps) {
  const announcements = new Announcements(database, requests);
  return {
    services: { announcements },
    endpoints: () => [feature(staffAnnouncementEndpoints, staffAnnouncementHandlers(announcements))],
    requests: { announcement: announcementEffects },
  } satisfies StaffModule;
}
