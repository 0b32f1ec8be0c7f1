import type { ReplyOf } from '@hengfu/contract/endpoint';
import { maxUnread, type noticeEndpoints } from '@hengfu/contract/notices';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { useLive } from '../../platform/live.ts';
import { newestNotices, noticesKey } from './notices.api.ts';
import { useAnnouncement } from './use-announcement.ts';

/** What the bell shows. */
export interface News {
  newest: ReplyOf<typeof noticeEndpoints.list>;
  unread: number;
  /** There may be more than were counted. */
  isMany: boolean;
}

/** Follows the reader's notices: tells the bell, and says new ones aloud. */
export function NoticeWatch({ onNews }: { onNews: (news: News) => void }): ReactElement {
  const { data } = useQuery(newestNotices);
  useLive(['notices'], noticesKey);
  const announcement = useAnnouncement(data?.data);
  useEffect(() => {
    if (data) onNews({ newest: data, unread: data.unread, isMany: data.unread >= maxUnread });
  }, [data, onNews]);
  return (
    <span className="visually-hidden" role="status">
      {announcement && <span key={announcement.id}>{announcement.text}</span>}
    </span>
  );
}
