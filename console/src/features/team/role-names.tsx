import type { RoleCode } from '@hengfu/contract/permissions';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { roleText } from '../../shared/names/role-name.tsx';
import { roleExplained } from './role-explained.ts';
import { useOwnRoles } from './team.api.ts';
import styles from './team.module.css';

/** Names roles, each with what it allows as its hint. */
export function RoleNames({ of }: { of: readonly RoleCode[] }): ReactElement {
  const t = useT();
  const own = useOwnRoles();
  return (
    <span className={styles.roles}>
      {of.map((role) => (
        <span key={role} className={styles.role} title={roleExplained(t, role, own)}>
          {roleText(t, role, own)}
        </span>
      ))}
    </span>
  );
}
