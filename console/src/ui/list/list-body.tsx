import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Button } from '../button.tsx';
import { Failure } from '../failure.tsx';
import { ListCards } from './list-cards.tsx';
import { ListNews } from './list-news.tsx';
import styles from './list-page.module.css';
import type { RowsProps } from './list-rows.tsx';
import { clearedFilters, isFiltered } from './list-search.ts';
import { ListEmpty, ListSkeleton } from './list-states.tsx';
import { ListTable } from './list-table.tsx';
import type { ListFilter } from './list-types.ts';
import type { ListState } from './use-list.ts';
import { useNarrow } from './use-narrow.ts';

interface ListBodyProps<R> extends Omit<RowsProps<R>, 'rows' | 'changes'> {
  list: ListState<R>;
  filters: readonly ListFilter[];
  caption: string;
  empty: { text: PhraseKey; action?: ReactNode };
  cursor: string | undefined;
}

const skeletonRows = 12;

/** The rows, or an explanation why there are none. */
export function ListBody<R>(props: ListBodyProps<R>): ReactElement {
  const { list, filters, caption, empty, cursor, ...rows } = props;
  const t = useT();
  const { held, error } = list;
  const Rows = useNarrow() ? ListCards : ListTable;
  const page = held.page;
  const region = useRef<HTMLElement>(null);
  const { pageId } = held;
  const shownId = useRef(pageId);
  useEffect(() => {
    // Scroll another page to its top, but keep the position of a page that becomes visible again.
    if (shownId.current !== pageId) region.current?.scrollTo({ top: 0 });
    shownId.current = pageId;
  }, [pageId]);

  if (!page) {
    return error ? <Failure error={error} onRetry={list.refresh} /> : <ListSkeleton rows={skeletonRows} />;
  }
  return (
    <>
      {error && <Failure isStale error={error} onRetry={list.refresh} />}
      <ListNews held={held} />
      {/* Always rendered, so that screen readers announce its content. */}
      <div role="status">
        {held.isOutdated && (
          <p className={styles.outdated}>
            <Button look="primary" icon="arrowUp" onClick={list.showNewest}>
              {t('ui.showNewest')}
            </Button>
          </p>
        )}
      </div>
      {page.data.length === 0 ? (
        <ListEmpty
          isFiltered={isFiltered(filters, list.search)}
          isBeyond={cursor !== undefined}
          text={empty.text}
          action={empty.action}
          onClearFilters={() => list.change(clearedFilters(filters))}
          onFirstPage={() => list.change({ cursor: undefined })}
        />
      ) : (
        <section
          ref={region}
          className={styles.region}
          aria-label={caption}
          aria-busy={list.isStale}
          // A scrollable region must be reachable by keyboard.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1; axe asks for it (scrollable-region-focusable).
          tabIndex={0}
        >
          <TopSentinel onChange={list.setAtTop} />
          <Rows {...rows} rows={page.data} changes={held.changes} caption={caption} />
        </section>
      )}
    </>
  );
}

/** Reports whether the first row is visible, no matter if the region or the whole page scrolls. */
function TopSentinel({ onChange }: { onChange: (isVisible: boolean) => void }): ReactElement {
  const sentinel = useRef<HTMLSpanElement>(null);
  const notify = useEffectEvent(onChange);
  useEffect(() => {
    if (!sentinel.current) return;
    const observer = new IntersectionObserver((entries) => notify(entries.at(-1)?.isIntersecting ?? true));
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, []);
  return <span ref={sentinel} className={styles.top} />;
}
