import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import type { HeldPage } from './held-page.ts';

/** Rows may change many times a second; nobody could listen to that. */
const quietMs = 3000;

/** Says politely how many rows of the page on screen are new or have changed by themselves, since it last did. */
export function ListNews({ held }: { held: HeldPage<unknown> }): ReactElement {
  const t = useT();
  const total = [...held.changes.values()].reduce((sum, count) => sum + count, 0);
  const [said, setSaid] = useState({ pageId: held.pageId, total: 0, number: 0 });
  if (said.pageId !== held.pageId) setSaid({ pageId: held.pageId, total: 0, number: 0 });
  const isBehind = total > said.total;
  const say = useEffectEvent(() => setSaid({ pageId: held.pageId, total, number: total - said.total }));
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(say, quietMs);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return (
    <p className="visually-hidden" role="status">
      {said.number > 0 && <span key={said.total}>{t('ui.rowsUpdated', { number: said.number })}</span>}
    </p>
  );
}
