import { type ReactElement, useState } from 'react';
import { useT } from '../language/i18n.ts';
import { Button } from './button.tsx';
import styles from './notice-stack.module.css';

/** More would push the page itself out of sight. */
export const maxNotices = 3;

interface NoticeStackProps {
  /** Notices with keys, the most important one first. */
  notices: readonly ReactElement[];
  /** Says what is folded away, if that must not be missed. */
  folded?: ReactElement | undefined;
}

/** Shows several notices one above the other: a few, and the others on request. */
export function NoticeStack({ notices, folded }: NoticeStackProps): ReactElement {
  const t = useT();
  const [showsAll, setShowsAll] = useState(false);
  const more = notices.length - maxNotices;
  return (
    <div className={styles.stack}>
      {showsAll ? notices : notices.slice(0, maxNotices)}
      {more > 0 && !showsAll && folded}
      {more > 0 && (
        <Button onClick={() => setShowsAll(!showsAll)} aria-expanded={showsAll}>
          {showsAll ? t('ui.fewerNotices') : t('ui.moreNotices', { count: more })}
        </Button>
      )}
    </div>
  );
}
