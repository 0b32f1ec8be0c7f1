import { isSharedRole } from '@hengfu/contract/permissions';
import { staffRoles } from '@hengfu/contract/staff/permissions';
import type { Translate } from '@hengfu/ui/language/i18n.ts';

/** Names a role of our staff or of a merchant; roles that a merchant has made have their own names. */
export function roleName(role: string, t: Translate): string {
  const own = staffRoles.find((each) => each === role);
  if (own) return t(`officeService.role.${own}`);
  return isSharedRole(role) ? t(`team.role.${role}`) : role;
}
