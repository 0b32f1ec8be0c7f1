import type { Role } from '@hengfu/contract/permissions';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { RoleName } from '../../shared/names/role-name.tsx';
import styles from './team.module.css';

/** Names roles, each with what it allows as its hint. */
export function RoleNames({ of }: { of: readonly Role[] }): ReactElement {
  const t = useT();
  return (
    <span className={styles.roles}>
      {of.map((role) => (
        <span key={role} className={styles.role} title={t(`team.roleText.${role}`)}>
          <RoleName code={role} />
        </span>
      ))}
    </span>
  );
}
