import { requestLogEndpoints } from '@hengfu/contract/request-log';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { Hint } from '@hengfu/ui/overlays/hint.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { listOptions } from '../../shared/list/list-query.ts';
import styles from './request-log.module.css';

/** Says what the list keeps, and how many calls were only counted. */
export function KeptNote({ search }: { search: ListSearch }): ReactElement {
  const t = useT();
  // The list's own query, so that this asks for nothing more.
  const { data: unrecorded = 0 } = useQuery({
    ...listOptions(requestLogEndpoints.list, search),
    placeholderData: keepPreviousData,
    select: (reply) => ('unrecorded' in reply && typeof reply.unrecorded === 'number' ? reply.unrecorded : 0),
  });
  const text = t('requestLog.unrecorded', { count: unrecorded });
  return (
    <p className={styles.muted}>
      <span className={styles.kept}>{t('requestLog.kept')}</span>
      {unrecorded > 0 && (
        <>
          {' '}
          {text} <Hint label={text} text={t('requestLog.unrecordedHint')} />
        </>
      )}
    </p>
  );
}
