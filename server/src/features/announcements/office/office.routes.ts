import type { StaffAnnouncement, staffAnnouncementEndpoints } from '@hengfu/contract/staff/announcements';
import type { Handlers } from '#http/bind.ts';
import type { Announcements, StoredAnnouncement } from './office.service.ts';

/** Handles the calls of our staff about announcements. */
export function staffAnnouncementHandlers(
  service: Announcements,
): Handlers<typeof staffAnnouncementEndpoints> {
  return {
    list: async () => ({ data: (await service.list()).map(toAnnouncement) }),
    add: async ({ caller: member, request, body: { reason, ...body } }) =>
      asked(await service.askToAdd(body, { member, request }, reason)),
    change: async ({ caller: member, request, params, body: { reason, ...body } }) =>
      asked(await service.askToChange(BigInt(params.id), body, { member, request }, reason)),
    end: async ({ caller: member, request, params }) => {
      await service.end(BigInt(params.id), { member, request });
      return undefined;
    },
  };
}

function asked(request: bigint | undefined) {
  // Only an operator acts alone.
  if (request === undefined) throw new Error('an announcement was not asked for');
  return { data: { request: String(request) } };
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
