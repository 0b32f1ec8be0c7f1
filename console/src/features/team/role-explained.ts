import type { OwnRole } from '@hengfu/contract/own-roles';
import { isSharedRole, type RoleCode } from '@hengfu/contract/permissions';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import { permsText } from '../../shared/names/perm-text.ts';

/** Says what a role allows: the text of one that every merchant has; of an own role, its description or its permissions. */
export function roleExplained(t: Translate, code: RoleCode, own: readonly OwnRole[]): string {
  if (isSharedRole(code)) return t(`team.roleText.${code}`);
  const role = own.find((candidate) => candidate.code === code);
  return role ? role.description || permsText(t, role.perms) : '';
}
