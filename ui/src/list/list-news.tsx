import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useT } from '../language/i18n.ts';
import type { HeldPage } from './held-page.ts';

/** Rows may change many times a second, so announcements are collected for this long. */
const announceIntervalMs = 3000;

/**
 * Announces to screen readers how many rows were added or changed by live updates since the last
 * announcement.
 */
export function ListNews({ held }: { held: HeldPage<unknown> }): ReactElement {
  const t = useT();
  const total = [...held.changes.values()].reduce((sum, count) => sum + count, 0);
  const [announced, setAnnounced] = useState({ pageId: held.pageId, total: 0, number: 0 });
  if (announced.pageId !== held.pageId) setAnnounced({ pageId: held.pageId, total: 0, number: 0 });
  const isBehind = total > announced.total;
  const announce = useEffectEvent(() =>
    setAnnounced({ pageId: held.pageId, total, number: total - announced.total }),
  );
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(announce, announceIntervalMs);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return (
    <p className="visually-hidden" role="status">
      {announced.number > 0 && (
        <span key={announced.total}>{t('ui.rowsUpdated', { number: announced.number })}</span>
      )}
    </p>
  );
}
