/** Roles a person can hold. ROOT passes every check (spec, point 6). */
export const roles = ['ROOT', 'MERCHANT_ADMIN', 'MERCHANT_VIEWER'] as const;
export type Role = (typeof roles)[number];

/** The permissions. The server checks them on every call; the console only hides what is not permitted. */
export const perms = [
  'dashboard.read',
  'collections.read',
  'settlements.read',
  'payouts.read',
  'payouts.create',
  /** Create links that show a payout to anyone who has them, and revoke them. */
  'payouts.share',
  'topups.read',
  'topups.create',
  'withdrawals.read',
  'withdrawals.create',
  'funds.read',
  'exports.read',
  'exports.create',
  'access.read',
  'access.manage',
  /** Read what was done by everybody, with addresses and devices. */
  'audit.read',
] as const;
export type Perm = (typeof perms)[number];

const reading = perms.filter(
  (perm) => perm.endsWith('.read') && perm !== 'access.read' && perm !== 'audit.read',
);

const permsOfRole: Record<Role, readonly Perm[]> = {
  ROOT: perms,
  MERCHANT_ADMIN: perms,
  MERCHANT_VIEWER: reading,
};

/** Returns the permissions that a set of roles grants, without duplicates. */
export function permsOf(held: readonly Role[]): Perm[] {
  return [...new Set(held.flatMap((role) => permsOfRole[role]))];
}
