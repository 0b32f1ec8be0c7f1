import type { CurrentStaff } from '@hengfu/contract/staff/session';
import type { StaffMember } from '#domain/caller.ts';

/** Maps a signed-in member of our staff to the user that the back office receives. */
export function staffView(member: StaffMember): CurrentStaff {
  const { staffId, name, email, roles, perms, level, hasFactor, language } = member;
  return { id: String(staffId), name, email, roles, perms, level, hasFactor, language };
}
