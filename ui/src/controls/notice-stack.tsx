import { type ReactElement, useState } from 'react';
import { useT } from '../language/i18n.ts';
import { Button } from './button.tsx';
import styles from './notice-stack.module.css';

/** More would push the page itself out of sight. */
const maxShown = 3;

interface NoticeStackProps {
  /** Notices with keys, the most important one first. */
  notices: readonly ReactElement[];
}

/** Shows several notices one above the other: a few, and the others on request. */
export function NoticeStack({ notices }: NoticeStackProps): ReactElement {
  const t = useT();
  const [showsAll, setShowsAll] = useState(false);
  const more = notices.length - maxShown;
  return (
    <div className={styles.stack}>
      {showsAll ? notices : notices.slice(0, maxShown)}
      {more > 0 && (
        <Button onClick={() => setShowsAll(!showsAll)} aria-expanded={showsAll}>
          {showsAll ? t('ui.fewerNotices') : t('ui.moreNotices', { count: more })}
        </Button>
      )}
    </div>
  );
}
