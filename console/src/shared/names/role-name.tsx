import { type Role, roles } from '@hengfu/contract/permissions';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';

/** The name of a role; one that no longer exists keeps its code. */
export function roleText(t: Translate, code: string): string {
  return isRole(code) ? t(`team.role.${code}`) : code;
}

/** Names a role. */
export function RoleName({ code }: { code: string }): ReactElement {
  return <>{roleText(useT(), code)}</>;
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
