import { auditTrailEndpoints, type TrailQuery, type TrailRow } from '@hengfu/contract/staff/audit-trail';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reading } from '../../../platform/reading.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import styles from '../service.module.css';
import { AuditEntry } from './audit-entry.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { actionName, actorName, subjectName } from './audit-texts.ts';

interface AuditPartProps {
  query: TrailQuery;
  change: (query: TrailQuery) => void;
}

/** Everything that was done, in the service and at all merchants, newest first. */
export function AuditPart({ query, change }: AuditPartProps): ReactElement {
  const t = useT();
  const [shown, setShown] = useState<TrailRow>();
  const options = reading(auditTrailEndpoints.list, { query });
  const { data, error, refetch } = useQuery({
    ...options,
    queryKey: [auditTrailEndpoints.list.path, JSON.stringify(query)],
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={t('officeService.audit')} isCard>
      <p className={table.note}>{t('officeService.auditText')}</p>
      <div className={styles.search}>
        <AuditFilters key={JSON.stringify(query)} query={query} change={change} />
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.rows.length === 0 && <p>{t('officeService.noEntries')}</p>}
      {data && data.rows.length > 0 && (
        <TableBox label={t('officeService.audit')}>
          <thead>
            <tr>
              <th>{t('auditLog.at')}</th>
              <th>{t('officeService.who')}</th>
              <th>{t('officeService.action')}</th>
              <th>{t('officeService.object')}</th>
              <th>{t('officeService.merchantCode')}</th>
              <th>
                <span className="visually-hidden">{t('officeService.details')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={row.entry_no}>
                <td>
                  <TimeText at={row.at} />
                </td>
                <td>{actorName(row, t)}</td>
                <td data-long>{actionName(row.action, t)}</td>
                <td>{subjectName(row, t) ?? nothing}</td>
                <td>{row.merchant?.name ?? t('officeService.ofService')}</td>
                <td data-number>
                  <Button onClick={() => setShown(row)}>{t('officeService.details')}</Button>
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
      <div className={styles.buttons}>
        {query.cursor !== undefined && (
          <Button onClick={() => change({ ...query, cursor: undefined })}>{t('officeService.newest')}</Button>
        )}
        {data?.next && (
          <Button onClick={() => change({ ...query, cursor: data.next ?? undefined })}>
            {t('officeService.older')}
          </Button>
        )}
      </div>
      {shown && <AuditEntry row={shown} onClose={() => setShown(undefined)} />}
    </Section>
  );
}
