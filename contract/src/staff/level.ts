/**
 * The steps of a sign-in to the back office: `password` while the second factor is still to be shown, `binding` while a first one has
 * to be bound, `complete` after both. Outside demo mode, no session is complete without a second factor.
 */
export const staffLevels = ['password', 'binding', 'complete'] as const;
export type StaffLevel = (typeof staffLevels)[number];

/** Whether a session at one level may make a call that needs another. Each step of the sign-in has calls of its own. */
export function reachesStaff(level: StaffLevel, needed: StaffLevel): boolean {
  return staffLevels.indexOf(level) >= staffLevels.indexOf(needed);
}
