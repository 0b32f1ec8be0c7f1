import { shownInPlace } from '@hengfu/client/in-place.ts';
import type { ReplyOf } from '@hengfu/contract/endpoint';
import { type MarkNotices, noticeDays, noticeEndpoints } from '@hengfu/contract/notices';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { call } from '../../platform/http.ts';
import { Failure } from '../../shared/failure.tsx';
import { NoticeItem } from './notice-item.tsx';
import { noticesKey } from './notices.api.ts';
import styles from './notices.module.css';

type Page = ReplyOf<typeof noticeEndpoints.list>;

/** Lists the notices; choosing one marks it as read. `newest` is the page that the bell has loaded. */
export function NoticePanel({
  newest,
  close,
}: {
  newest: Page | undefined;
  close: () => void;
}): ReactElement {
  const t = useT();
  const { pages, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useNotices(newest);
  const mark = useMark();
  const rows = pages?.flatMap(({ data }) => data);
  const { listRef, expectMore } = useFocusOnMore(rows?.length ?? 0);
  const first = rows?.[0];
  const hasUnread = (pages?.[0]?.unread ?? 0) > 0;
  return (
    <div className={styles.panel} aria-busy={rows === undefined && !error}>
      <div className={styles.head}>
        <h2>{t('notices.title')}</h2>
        {first && (
          <Button
            look="quiet"
            icon="doubleCheck"
            aria-disabled={!hasUnread || mark.isPending}
            onClick={() => hasUnread && !mark.isPending && mark.mutate({ upTo: first.id })}
          >
            {t('notices.markAll')}
          </Button>
        )}
      </div>
      {error && <Failure error={error} isStale={rows !== undefined} onRetry={() => void refetch()} />}
      {!rows && !error && <p className={styles.empty}>{t('ui.loading')}</p>}
      {rows?.length === 0 && <p className={styles.empty}>{t('notices.empty')}</p>}
      {rows && rows.length > 0 && (
        <ul ref={listRef} className={styles.list}>
          {rows.map((row) => (
            <NoticeItem
              key={row.id}
              row={row}
              onChoose={() => {
                if (!row.isRead) mark.mutate({ ids: [row.id] });
                close();
              }}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          className={styles.more}
          aria-busy={isFetchingNextPage}
          onClick={() => {
            if (isFetchingNextPage) return;
            expectMore();
            void fetchNextPage();
          }}
        >
          {t('notices.more')}
        </Button>
      )}
      {first && !hasNextPage && <p className={styles.end}>{t('notices.end', { days: noticeDays })}</p>}
    </div>
  );
}

function useNotices(newest: Page | undefined) {
  const query = useInfiniteQuery({
    queryKey: [...noticesKey, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(noticeEndpoints.list, { query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    initialData: newest && { pages: [newest], pageParams: [''] },
    // The bell's page may be stale, so it is fetched again at once.
    initialDataUpdatedAt: 0,
    meta: { inPlace: shownInPlace },
  });
  return { ...query, pages: query.data?.pages };
}

function useMark() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (body: MarkNotices) => call(noticeEndpoints.read, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: noticesKey }),
  });
}

/** Moves the focus to older notices when they arrive, because the button that loaded them may be gone. */
function useFocusOnMore(count: number) {
  const listRef = useRef<HTMLUListElement>(null);
  const countBefore = useRef<number>(undefined);
  // Before the box notices that the focused button is gone, and takes the focus itself.
  useLayoutEffect(() => {
    const from = countBefore.current;
    if (from === undefined || count <= from) return;
    countBefore.current = undefined;
    listRef.current?.querySelectorAll<HTMLElement>('a')[from]?.focus();
  }, [count]);
  const expectMore = () => {
    countBefore.current = count;
  };
  return { listRef, expectMore };
}
