import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useT } from '../language/i18n.ts';
import styles from './list-page.module.css';

/** Placeholder while rows load, as tall as the rows, so that nothing moves when they arrive. */
export function ListSkeleton({ rows }: { rows: number }): ReactElement {
  const t = useT();
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{t('ui.loading')}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical and never move.
        <span key={index} />
      ))}
    </div>
  );
}

/** Shown while a row's detail loads. */
export const detailSkeleton: ReactElement = <ListSkeleton rows={6} />;

interface ListEmptyProps {
  /** Filters are set, so there may be rows outside them. */
  isFiltered: boolean;
  /** The page is past the last row (an old address). */
  isBeyond: boolean;
  /** Text for an empty list without filters; `action` creates rows. */
  text: PhraseKey;
  action?: ReactNode;
  onClearFilters: () => void;
  onFirstPage: () => void;
}

/** Explains why there are no rows, and offers what to do next. */
export function ListEmpty(props: ListEmptyProps): ReactElement {
  const t = useT();
  const { isFiltered, isBeyond, text, action } = props;
  return (
    <div className={styles.empty}>
      <Icon name={isFiltered ? 'search' : 'table'} size={32} />
      <p>{t(isBeyond ? 'ui.emptyPage' : isFiltered ? 'ui.emptyFiltered' : text)}</p>
      {isBeyond ? (
        <Button onClick={props.onFirstPage}>{t('ui.firstPage')}</Button>
      ) : isFiltered ? (
        <Button onClick={props.onClearFilters}>{t('ui.clearFilters')}</Button>
      ) : (
        action
      )}
    </div>
  );
}
