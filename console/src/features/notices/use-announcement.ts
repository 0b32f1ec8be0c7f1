import type { NoticeRow } from '@hengfu/contract/notices';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useState } from 'react';

/** Returns the announcement of the notices that arrived last; undefined until some have. */
export function useAnnouncement(
  newest: readonly NoticeRow[] | undefined,
): { id: string; text: string } | undefined {
  const t = useT();
  const [seen, setSeen] = useState<{
    rows: readonly NoticeRow[];
    announced?: { id: string; text: string };
  }>();
  if (newest && newest !== seen?.rows) {
    // The first load is not announced, because the bell's label has the count.
    const known = Number(seen ? (seen.rows[0]?.id ?? 0) : Number.POSITIVE_INFINITY);
    const fresh = newest.filter(({ id, isRead }) => Number(id) > known && !isRead);
    const [latest] = fresh;
    const announced = latest
      ? {
          id: latest.id,
          text: t('notices.new', { count: fresh.length, title: t(`notices.kind.${latest.kind}`) }),
        }
      : seen?.announced;
    setSeen({ rows: newest, ...(announced && { announced }) });
  }
  return seen?.announced;
}
