import { approvalEndpoints, maxCountedRequests } from '@hengfu/contract/approvals';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import styles from './waiting-count.module.css';

/** Failures stay silent: a badge is no page that somebody asked for. */
const waitingOptions = { ...reading(approvalEndpoints.waiting), meta: { inPlace: true } } as const;

/** The number of requests that wait for the user; nothing if there is none. */
export function WaitingCount({ isCorner }: { isCorner: boolean }): ReactElement | null {
  const t = useT();
  const { data } = useQuery(waitingOptions);
  useLive(['approvals'], waitingOptions.queryKey);
  if (!data || data.count === 0) return null;
  const { count } = data;
  const most = maxCountedRequests - 1;
  return (
    <span className={styles.count} data-corner={isCorner}>
      <span aria-hidden="true">{count > most ? t('approvals.badgeMany', { most }) : count}</span>
      <span className="visually-hidden">
        {count > most ? t('approvals.waitingMany', { most }) : t('approvals.waitingCount', { count })}
      </span>
    </span>
  );
}
