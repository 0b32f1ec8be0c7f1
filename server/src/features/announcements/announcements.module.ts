import { announcementEndpoints } from '@hengfu/contract/announcements';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { announcementHandlers } from './announcements.routes.ts';
import { AnnouncementReading } from './announcements.service.ts';

/** Announcements of the service, as merchants read them. */
export function announcementsModule({ database }: ModuleDeps) {
  return {
    services: {},
    endpoints: () => [
      feature(announcementEndpoints, announcementHandlers(new AnnouncementReading(database))),
    ],
  } satisfies FeatureModule;
}
