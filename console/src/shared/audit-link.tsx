import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { HasPerm } from '../platform/session-store.ts';

/** Leads from an object's detail to everything that was done to it, for users who may read the audit log. */
export function AuditLink({ subject }: { subject: string }): ReactElement {
  const t = useT();
  return (
    <HasPerm any={['audit.read']}>
      <Link to="/setting/auditLog" search={{ subject }}>
        {t('auditLog.ofObject')}
      </Link>
    </HasPerm>
  );
}
