import { type Role, roles } from '@hengfu/contract/permissions';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';

/** Names a role; one that no longer exists, by its code. */
export function RoleName({ code }: { code: string }): ReactElement {
  const t = useT();
  return <>{isRole(code) ? t(`team.role.${code}`) : code}</>;
}

function isRole(code: string): code is Role {
  return roles.some((role) => role === code);
}

/** Names roles, separated by commas. */
export function RoleNamesInLine({ of }: { of: readonly string[] }): ReactElement {
  return (
    <>
      {of.map((code, index) => (
        <span key={code}>
          {index > 0 && ', '}
          <RoleName code={code} />
        </span>
      ))}
    </>
  );
}
