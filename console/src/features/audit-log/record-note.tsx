import { auditEndpoints } from '@hengfu/contract/audit-log';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { listOptions } from '../../shared/list/list-query.ts';
import styles from './audit-log.module.css';

/** Says what the list can be relied on for: entries are sealed; and how far the archive was searched, if not to its end. */
export function RecordNote({ search }: { search: ListSearch }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  // The list's own query, so that this asks for nothing more.
  const { data: end } = useQuery({
    ...listOptions(auditEndpoints.list, search),
    placeholderData: keepPreviousData,
    select: (reply) => ({ to: 'searchedTo' in reply ? reply.searchedTo : undefined, next: reply.next }),
  });
  const date = typeof end?.to === 'string' ? formatInstant(end.to, zone, language, 'minute') : undefined;
  return (
    <p className={styles.muted}>
      <span className={styles.sealed}>{t('auditLog.sealed')}</span>
      {date !== undefined && (
        <>
          {' '}
          {t('auditLog.searchedTo', { date })}{' '}
          <Link to="/setting/auditLog" search={{ ...search, cursor: end?.next ?? undefined }}>
            {t('auditLog.searchOn')}
          </Link>
        </>
      )}
    </p>
  );
}
