import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { whenIdleAfter } from '../../platform/when-idle.ts';
import { Icon } from '../../ui/icon.tsx';
import { Popover } from '../../ui/popover.tsx';
import { toolClass } from '../../ui/tool-button.tsx';
import styles from './notice-bell.module.css';
import type { News } from './notice-watch.tsx';

// Neither may take the page down with it where it can't be loaded.
const NoticeWatch = lazy(() =>
  import('./notice-watch.tsx').then(
    (module) => ({ default: module.NoticeWatch }),
    () => ({ default: () => <span /> }),
  ),
);
const NoticePanel = lazy(() =>
  import('./notice-panel.tsx').then(
    (module) => ({ default: module.NoticePanel }),
    () => ({ default: Unloaded }),
  ),
);

/** A page asks for what it shows first; the bell can wait so long. */
const laterMs = 1000;

/** The bell of the top bar: how much the reader should know of, and a panel that tells it. */
export function NoticeBell(): ReactElement {
  const t = useT();
  const isWanted = useUser().twoFactor !== 'required';
  const isLater = useLater();
  const [news, setNews] = useState<News>();
  const { unread = 0, isMany = false } = news ?? {};
  const most = unread - 1;
  const label = isMany
    ? t('notices.bellMany', { most })
    : t(unread > 0 ? 'notices.bellUnread' : 'notices.bell', { count: unread });
  return (
    <>
      <Popover
        label={t('notices.title')}
        openerLabel={label}
        openerClass={toolClass}
        opener={
          <>
            <Icon name="bell" size={20} />
            {unread > 0 && (
              <span className={styles.badge} aria-hidden="true">
                {isMany ? t('notices.badgeMany', { most }) : unread}
              </span>
            )}
          </>
        }
      >
        {(close) => (
          <Suspense fallback={<p className={styles.waiting}>{t('ui.loading')}</p>}>
            <NoticePanel newest={news?.newest} close={close} />
          </Suspense>
        )}
      </Popover>
      {isWanted && isLater && (
        <Suspense fallback={null}>
          <NoticeWatch onNews={setNews} />
        </Suspense>
      )}
    </>
  );
}

/** Whether the page has had its time. */
function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => whenIdleAfter(laterMs, () => setLater(true)), []);
  return isLater;
}

function Unloaded(): ReactElement {
  const t = useT();
  return (
    <p className={styles.waiting} role="alert">
      {t('shell.errorPage.unloadedTitle')} {t('shell.errorPage.unloadedText')}
    </p>
  );
}
