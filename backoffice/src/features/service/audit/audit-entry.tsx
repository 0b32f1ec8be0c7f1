import type { TrailRow } from '@hengfu/contract/staff/audit-trail';
import { fieldName } from '@hengfu/ui/audit/audit-words.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { UserAgent } from '@hengfu/ui/values/user-agent.tsx';
import type { ReactElement } from 'react';
import { CloseButton } from '../../../shared/close-button.tsx';
import { factText } from '../../../shared/fact-words.ts';
import { roleName } from '../../../shared/role-name.ts';
import { TableBox } from '../../../shared/table-box.tsx';
import styles from '../service.module.css';
import { actionName, actorName, subjectName } from './audit-texts.ts';
import { useValueText } from './audit-values.ts';

/** One entry of the audit trail: who, from where, and each value before and after. */
export function AuditEntry({ row, onClose }: { row: TrailRow; onClose: () => void }): ReactElement {
  const t = useT();
  const { merchant, roles } = row;
  const rows = useRows(row);
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
      {rows.length === 0 ? (
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
            {rows.map(({ key, name, before, after }) => (
              <tr key={key}>
                <td>{name}</td>
                <td className={styles.text}>{before}</td>
                <td className={styles.text}>{after}</td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}

/** The values of an entry in the reader's words: what was asked for, if it is about a request, and what was recorded. */
function useRows({ action, changes, facts }: TrailRow) {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUiSettings();
  const valueText = useValueText();
  const reader = { t, language, zone };
  return [
    ...facts.map(({ name, before, after }) => ({
      key: `fact ${name}`,
      name: t(`officeRequests.names.${name}`),
      before: factText(name, before, reader),
      after: factText(name, after, reader),
    })),
    ...changes.map(({ field, before, after }) => ({
      key: field,
      name: fieldName(t, field),
      before: valueText({ field, action, value: before }),
      after: valueText({ field, action, value: after }),
    })),
  ];
}
