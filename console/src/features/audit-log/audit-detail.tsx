import type { AuditRow } from '@hengfu/contract/audit-log';
import { fieldName } from '@hengfu/ui/audit/audit-words.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { UserAgent } from '@hengfu/ui/values/user-agent.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { RoleNamesInLine } from '../../shared/names/role-name.tsx';
import { auditEntryOptions } from './audit-log.api.ts';
import styles from './audit-log.module.css';
import { ActionName, Actor, useValueText } from './audit-texts.tsx';

/** One entry of the audit log: who did what from where, and what it changed. Entries never change, so a row is enough. */
export function AuditDetail({ entryNo, row }: { entryNo: string; row: AuditRow | undefined }): ReactElement {
  const { data, error, refetch } = useQuery({ ...auditEntryOptions(entryNo), enabled: row === undefined });
  const entry = row ?? data;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return entry ? <Entry of={entry} /> : detailSkeleton;
}

function Entry({ of }: { of: AuditRow }): ReactElement {
  const t = useT();
  return (
    <>
      <Section title={t('auditLog.details')}>
        <Fields
          fields={[
            { label: t('auditLog.action'), value: <ActionName action={of.action} /> },
            { label: t('auditLog.at'), value: <TimeText at={of.at} style="full" /> },
            { label: t('auditLog.actor'), value: <Actor of={of} /> },
            { label: t('auditLog.person'), value: of.actorEmail },
            {
              label: t('auditLog.roles'),
              value: of.actorRoles.length > 0 ? <RoleNamesInLine of={of.actorRoles} /> : null,
            },
            { label: t('auditLog.subject'), value: of.subject, copy: of.subject ?? undefined },
            { label: t('auditLog.address'), value: of.address },
            { label: t('auditLog.request_id'), value: of.request_id, copy: of.request_id ?? undefined },
            { label: t('auditLog.userAgent'), value: <UserAgent text={of.userAgent} />, isWide: true },
          ]}
        />
      </Section>
      <Section title={t('auditLog.changes')}>
        {of.changes.length > 0 ? <Changes of={of} /> : <p>{t('auditLog.noChanges')}</p>}
      </Section>
    </>
  );
}

function Changes({ of: { action, changes } }: { of: AuditRow }): ReactElement {
  const t = useT();
  const valueText = useValueText();
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('auditLog.field')}</th>
          <th scope="col">{t('auditLog.before')}</th>
          <th scope="col">{t('auditLog.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{fieldName(t, change.field)}</th>
            <td>{valueText(action, change, 'before')}</td>
            <td>{valueText(action, change, 'after')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
