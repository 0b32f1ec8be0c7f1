import type { noticeEndpoints } from '@hengfu/contract/notices';
import { fieldRefusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { NoticeService } from './notices.service.ts';
import { toNoticeRow } from './notices.view.ts';

/** Handles the console's calls about notices. */
export function noticeHandlers(service: NoticeService): Handlers<typeof noticeEndpoints> {
  return {
    list: async ({ caller, query: { cursor, limit } }) => {
      if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
        throw fieldRefusal('cursor', 'validation.cursor');
      const below = cursor === undefined ? null : BigInt(cursor);
      const { rows, unread } = await service.list(caller, { below, limit });
      const data = rows.slice(0, limit).map(toNoticeRow);
      return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null, unread };
    },
    read: async ({ caller, body }) => ({ data: { unread: await service.markRead(caller, body) } }),
  };
}
