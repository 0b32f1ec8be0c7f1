import type { announcementEndpoints } from '@hengfu/contract/announcements';
import type { Handlers } from '#http/bind.ts';
import type { AnnouncementReading } from './announcements.service.ts';

/** Handles the console's calls about announcements. */
export function announcementHandlers(service: AnnouncementReading): Handlers<typeof announcementEndpoints> {
  return {
    list: async ({ caller, request }) => {
      const { shown, nextAt } = await service.list(caller, request.language);
      return { data: { shown, nextAt: nextAt?.toISOString() ?? null } };
    },
    dismiss: async ({ caller, params, query }) => {
      await service.dismiss(caller, BigInt(params.id), query.changedAt);
      return undefined;
    },
  };
}
