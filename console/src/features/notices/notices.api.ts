import { shownInPlace } from '@hengfu/client/in-place.ts';
import { noticeEndpoints } from '@hengfu/contract/notices';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';

/** Key of all notice queries, for invalidation. */
export const noticesKey = [noticeEndpoints.list.path] as const;

/** The newest notices, and how many are unread. */
export const newestNotices = queryOptions({
  queryKey: [...noticesKey, 'newest'] as const,
  queryFn: ({ signal }) => call(noticeEndpoints.list, { signal }),
  meta: { inPlace: shownInPlace },
});
