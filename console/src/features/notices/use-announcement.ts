import type { NoticeRow } from '@hengfu/contract/notices';
import { useState } from 'react';
import { useT } from '../../platform/i18n.ts';

/** What a screen reader says of notices that came since the last look; undefined until some have come. */
export function useAnnouncement(
  newest: readonly NoticeRow[] | undefined,
): { id: string; text: string } | undefined {
  const t = useT();
  const [seen, setSeen] = useState<{ rows: readonly NoticeRow[]; said?: { id: string; text: string } }>();
  if (newest && newest !== seen?.rows) {
    // Of the first look nothing is said: the bell's name tells it.
    const known = Number(seen ? (seen.rows[0]?.id ?? 0) : Number.POSITIVE_INFINITY);
    const fresh = newest.filter(({ id, isRead }) => Number(id) > known && !isRead);
    const [latest] = fresh;
    const said = latest
      ? {
          id: latest.id,
          text: t('notices.new', { count: fresh.length, title: t(`notices.kind.${latest.kind}`) }),
        }
      : seen?.said;
    setSeen({ rows: newest, ...(said && { said }) });
  }
  return seen?.said;
}
