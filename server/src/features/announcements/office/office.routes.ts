import type { StaffAnnouncement, staffAnnouncementEndpoints } from '@hengfu/contract/staff/announcements';
import type { Handlers } from '#http/bind.ts';
import type { Announcements, StoredAnnouncement } from './office.service.ts';

/** Handles the calls of our staff about announcements. */
export function staffAnnouncementHandlers(
  service: Announcements,
): Handlers<typeof staffAnnouncementEndpoints> {
  return {
    list: async () => ({ data: (await service.list()).map(toAnnouncement) }),
    add: async ({ caller: member, request, body }) => ({
      data: { id: String(await service.add(body, { member, request })) },
    }),
    change: async ({ caller: member, request, params, body }) => {
      await service.change(BigInt(params.id), body, { member, request });
      return undefined;
    },
    end: async ({ caller: member, request, params }) => {
      await service.end(BigInt(params.id), { member, request });
      return undefined;
    },
  };
}

function toAnnouncement({ id, startsAt, endsAt, endedAt, ...rest }: StoredAnnouncement): StaffAnnouncement {
  return {
    ...rest,
    id: String(id),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}
