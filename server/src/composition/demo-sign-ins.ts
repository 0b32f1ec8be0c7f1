import type { StaffRole } from '@hengfu/contract/staff/permissions';

/** The credentials that demo mode shows on the sign-in page. */
export const demoSignIn = { email: 'demo@hengfu.test', password: 'Demo-pass-2026' };

/** Our own staff in demo mode. The two differ, so that what one starts the other can finish. */
export const demoStaff = [
  { email: 'staff@hengfu.test', name: '沈嘉宁', roles: ['ADMIN'] satisfies StaffRole[] },
  {
    email: 'second@hengfu.test',
    name: '何志强',
    roles: ['REVIEWER', 'FINANCE', 'SUPPORT'] satisfies StaffRole[],
  },
] as const;
export const demoStaffPassword = 'Demo-staff-2026';
