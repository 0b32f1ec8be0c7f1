import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';

export const announcementKinds = ['information', 'maintenance', 'warning'] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];

/** Announcements that are shown at a time, the newest first. */
export const announcementsShown = 3;

/** Something that the service tells its merchants, in the caller's language. */
export const announcement = z.object({
  id: z.string(),
  kind: z.enum(announcementKinds),
  text: z.string(),
  /** Tells its versions apart. Absent in replies of the version of the product before. */
  changedAt: instant.optional(),
});
export type Announcement = z.output<typeof announcement>;

export const announcementEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/announcements',
    summary:
      'Lists the announcements that are shown now and that the caller has not dismissed. `nextAt`: when the next one begins or ends.',
    access: 'session',
    status: 200,
    reply: z.object({
      data: z.object({ shown: z.array(announcement).max(announcementsShown), nextAt: instant.nullable() }),
    }),
    errors: [],
  }),
  dismiss: endpoint({
    method: 'PUT',
    path: '/api/merchant/announcements/:id/dismissal',
    summary:
      'Dismisses an announcement for the caller, until it changes. `changedAt`: the version that was read; a later one stays. The present one by default.',
    access: 'session',
    params: z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) }),
    query: z.object({ changedAt: instant.optional() }),
    status: 204,
    errors: ['not_found'],
  }),
};
