import type { NamedRole } from '@hengfu/contract/own-roles';
import { isSharedRole } from '@hengfu/contract/permissions';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';

/**
 * The name of a role. `own`: the merchant's own roles. Records name these by their names already; a role that no longer exists keeps its
 * code.
 */
export function roleText(t: Translate, code: string, own: readonly NamedRole[] = []): string {
  if (isSharedRole(code)) return t(`team.role.${code}`);
  return own.find((role) => role.code === code)?.name ?? code;
}

/** Names a role. */
function RoleName({ code, own }: { code: string; own: readonly NamedRole[] | undefined }): ReactElement {
  return <>{roleText(useT(), code, own)}</>;
}

/** Names roles, separated by commas. */
export function RoleNamesInLine({
  of,
  own,
}: {
  of: readonly string[];
  own?: readonly NamedRole[];
}): ReactElement {
  return (
    <>
      {of.map((code, index) => (
        <span key={code}>
          {index > 0 && ', '}
          <RoleName code={code} own={own} />
        </span>
      ))}
    </>
  );
}
