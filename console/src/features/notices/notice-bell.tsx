import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { toolClass } from '@hengfu/ui/controls/tool-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Popover } from '@hengfu/ui/overlays/popover.tsx';
import { type ReactElement, useEffect, useState } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { whenSettledAfter } from '../../platform/when-settled.ts';
import styles from './notice-bell.module.css';
import type { NoticeSummary } from './notice-watch.tsx';

// The page works without either.
const NoticeWatch = onDemand(
  () => import('./notice-watch.tsx').then((module) => module.NoticeWatch),
  null,
  null,
);
const NoticePanel = onDemand(
  () => import('./notice-panel.tsx').then((module) => module.NoticePanel),
  <Waiting />,
  <LoadFailure />,
);

/** The page loads its own data first; the bell waits this long. */
const startDelayMs = 1000;

/** The bell in the top bar: the number of unread notices, and a panel that lists them. */
export function NoticeBell(): ReactElement {
  const t = useT();
  const isWanted = useUser().twoFactor !== 'required';
  const canStart = useCanStart();
  const [summary, setSummary] = useState<NoticeSummary>();
  const { unread = 0, isMany = false } = summary ?? {};
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
        {(close) => <NoticePanel newest={summary?.newest} close={close} />}
      </Popover>
      {isWanted && canStart && <NoticeWatch onSummary={setSummary} />}
    </>
  );
}

/** Whether the page has had time to load its own data. */
function useCanStart(): boolean {
  const [canStart, setCanStart] = useState(false);
  useEffect(() => whenSettledAfter(startDelayMs, () => setCanStart(true)), []);
  return canStart;
}

function Waiting(): ReactElement {
  return <p className={styles.waiting}>{useT()('ui.loading')}</p>;
}

function LoadFailure(): ReactElement {
  const t = useT();
  return (
    <p className={styles.waiting} role="alert">
      {t('shell.errorPage.unloadedTitle')} {t('shell.errorPage.unloadedText')}
    </p>
  );
}
