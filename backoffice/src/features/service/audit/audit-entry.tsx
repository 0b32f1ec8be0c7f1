import type { TrailRow } from '@hengfu/contract/staff/audit-trail';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { UserAgent } from '@hengfu/ui/values/user-agent.tsx';
import type { ReactElement } from 'react';
import { CloseButton } from '../../../shared/close-button.tsx';
import { roleName } from '../../../shared/role-name.ts';
import { TableBox } from '../../../shared/table-box.tsx';
import styles from '../service.module.css';
import { actionName, actorName, subjectName, valueText } from './audit-texts.ts';

/** One entry of the audit trail: who, from where, and each value before and after. */
export function AuditEntry({ row, onClose }: { row: TrailRow; onClose: () => void }): ReactElement {
  const t = useT();
  const { merchant, roles, changes } = row;
  return (
    <Dialog title={actionName(row.action, t)} isWide onClose={onClose}>
      <Fields
        fields={[
          { label: t('auditLog.entry_no'), value: row.entry_no },
          { label: t('auditLog.at'), value: <TimeText at={row.at} /> },
          { label: t('officeService.who'), value: actorName(row, t) },
          { label: t('officeService.email'), value: row.actorEmail },
          {
            label: t('officeService.roles'),
            value: roles.length > 0 ? roles.map((role) => roleName(role, t)).join(', ') : null,
          },
          {
            label: t('officeService.merchantCode'),
            value: merchant ? `${merchant.name} (${merchant.code})` : t('officeService.ofService'),
          },
          { label: t('officeService.object'), value: subjectName(row, t) },
          { label: t('auditLog.address'), value: row.address },
          { label: t('auditLog.userAgent'), value: <UserAgent text={row.userAgent} />, isWide: true },
          { label: t('auditLog.request_id'), value: row.request_id, isWide: true },
        ]}
      />
      {changes.length === 0 ? (
        <p className={styles.muted}>{t('auditLog.noChanges')}</p>
      ) : (
        <TableBox label={t('auditLog.changes')}>
          <thead>
            <tr>
              <th>{t('auditLog.field')}</th>
              <th>{t('auditLog.before')}</th>
              <th>{t('auditLog.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <td>{field}</td>
                <td className={styles.text}>{valueText(before, t)}</td>
                <td className={styles.text}>{valueText(after, t)}</td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}
