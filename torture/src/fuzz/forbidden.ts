import { type StaffRole, staffPermsOf } from '@hengfu/contract/staff/permissions';
import type { Caller } from './call.ts';
import type { Operation } from './document.ts';

const staffRoleOf: Partial<Record<Caller, StaffRole>> = {
  staffAdmin: 'ADMIN',
  staffReviewer: 'REVIEWER',
  staffFinance: 'FINANCE',
  staffSupport: 'SUPPORT',
};

/** Whether a caller lacks the session or the permission that an operation needs. */
export function isForbiddenTo(who: Caller, { access, staffPerm }: Operation): boolean {
  const role = staffRoleOf[who];
  if (access === 'session') return role !== undefined || who === 'nobody' || who === 'visitor';
  if (access !== 'staff') return false;
  return (
    role === undefined ||
    !(staffPerm === undefined || staffPermsOf([role]).some((perm) => perm === staffPerm))
  );
}
