import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type ReactElement, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { useNarrow } from '../controls/use-narrow.ts';
import { useT } from '../language/i18n.ts';
import { LoadFailure } from '../page/load-failure.tsx';
import { ListCards } from './list-cards.tsx';
import { ListNews } from './list-news.tsx';
import styles from './list-page.module.css';
import type { RowsProps } from './list-rows.tsx';
import { clearedFilters, isFiltered } from './list-search.ts';
import type { ListSource } from './list-source.ts';
import { ListEmpty, ListSkeleton } from './list-states.tsx';
import { ListTable } from './list-table.tsx';
import type { ListFilter } from './list-types.ts';
import { scrollToTop } from './scroll-to-top.ts';
import type { ListState } from './use-list.ts';

interface ListBodyProps<R> extends Omit<RowsProps<R>, 'rows' | 'changes'> {
  /** The scrollable region of the rows. */
  region: RefObject<HTMLElement | null>;
  list: ListState<R>;
  /** Puts a failure to load into words. */
  explain: ListSource<R>['explain'];
  filters: readonly ListFilter[];
  caption: string;
  empty: { text: PhraseKey; action?: ReactNode };
  cursor: string | undefined;
}

const skeletonRows = 12;

/** The rows, or an explanation why there are none. */
export function ListBody<R>(props: ListBodyProps<R>): ReactElement {
  const { list, explain, filters, caption, empty, cursor, region, ...rows } = props;
  const t = useT();
  const { held } = list;
  const failure = list.error && { explanation: explain(list.error, t), onRetry: list.refresh };
  const Rows = useNarrow() ? ListCards : ListTable;
  const page = held.page;
  const { pageId } = held;
  const shownId = useRef(pageId);
  useEffect(() => {
    // Scroll another page to its top, but keep the position of a page that becomes visible again.
    if (shownId.current !== pageId && region.current) scrollToTop(region.current);
    shownId.current = pageId;
  }, [pageId, region]);

  if (!page) {
    return failure ? <LoadFailure {...failure} /> : <ListSkeleton rows={skeletonRows} />;
  }
  return (
    <>
      {failure && <LoadFailure isStale {...failure} />}
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
          isBeyond={cursor !== undefined && page.next === null}
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
