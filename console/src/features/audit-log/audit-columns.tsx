import type { AuditRow } from '@hengfu/contract/audit-log';
import { nothing } from '@hengfu/ui/language/format.ts';
import type { ListColumn } from '@hengfu/ui/list/list-types.ts';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { RoleNamesInLine } from '../../shared/names/role-name.tsx';
import { ActionName, Actor, FirstChange } from './audit-texts.tsx';

/** The columns of the audit log. */
export const auditColumns: readonly ListColumn<AuditRow>[] = [
  {
    key: 'action',
    title: 'auditLog.action',
    render: ({ action }) => <ActionName action={action} />,
    isOpener: true,
    isFixed: true,
    card: 'lead',
  },
  { key: 'actor', title: 'auditLog.actor', render: (row) => <Actor of={row} />, isFixed: true },
  {
    key: 'subject',
    title: 'auditLog.subject',
    hint: 'auditLog.subjectHint',
    render: ({ subject }) => subject ?? nothing,
    copy: ({ subject }) => subject ?? undefined,
  },
  { key: 'changes', title: 'auditLog.changes', render: (row) => <FirstChange of={row} /> },
  { key: 'address', title: 'auditLog.address', render: ({ address }) => address ?? nothing },
  { key: 'at', title: 'auditLog.at', render: ({ at }) => <TimeText at={at} />, isFixed: true },
  {
    key: 'actorRoles',
    title: 'auditLog.roles',
    render: ({ actorRoles }) => <RoleNamesInLine of={actorRoles} />,
    isOptional: true,
  },
  {
    key: 'request_id',
    title: 'auditLog.request_id',
    render: ({ request_id }) => request_id,
    copy: ({ request_id }) => request_id ?? undefined,
    isOptional: true,
  },
];
