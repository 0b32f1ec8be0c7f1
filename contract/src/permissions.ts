/** Roles a person can hold. ROOT passes every check (spec, point 6). */
export const roles = ['ROOT', 'MERCHANT_ADMIN', 'MERCHANT_VIEWER'] as const;
export type Role = (typeof roles)[number];

/** What can be allowed; the server checks on every call, the console only hides. */
export const perms = [
  'dashboard.read',
  'collections.read',
  'settlements.read',
  'payouts.read',
  'payouts.create',
  /** Make links that show a payout to whoever has them, and revoke them. */
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
] as const;
export type Perm = (typeof perms)[number];

const reading = perms.filter((perm) => perm.endsWith('.read') && perm !== 'access.read');

const permsOfRole: Record<Role, readonly Perm[]> = {
  ROOT: perms,
  MERCHANT_ADMIN: perms,
  MERCHANT_VIEWER: reading,
};

/** The permissions that a set of roles grants, without repeats. */
export function permsOf(held: readonly Role[]): Perm[] {
  return [...new Set(held.flatMap((role) => permsOfRole[role]))];
}
