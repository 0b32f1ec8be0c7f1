import type { ReplyOf } from '@hengfu/contract/endpoint';
import { maxUnread, type noticeEndpoints } from '@hengfu/contract/notices';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { useLive } from '../../platform/live.ts';
import { newestNotices, noticesKey } from './notices.api.ts';
import { useAnnouncement } from './use-announcement.ts';

/** The data that the bell shows. */
export interface NoticeSummary {
  newest: ReplyOf<typeof noticeEndpoints.list>;
  unread: number;
  /** There may be more than were counted. */
  isMany: boolean;
}

/** Watches the reader's notices: updates the bell, and announces new ones to screen readers. */
export function NoticeWatch({ onSummary }: { onSummary: (summary: NoticeSummary) => void }): ReactElement {
  const { data } = useQuery(newestNotices);
  useLive(['notices'], noticesKey);
  const announcement = useAnnouncement(data?.data);
  useEffect(() => {
    if (data) onSummary({ newest: data, unread: data.unread, isMany: data.unread >= maxUnread });
  }, [data, onSummary]);
  return (
    <span className="visually-hidden" role="status">
      {announcement && <span key={announcement.id}>{announcement.text}</span>}
    </span>
  );
}
