/** The roles that every merchant has, from the most powerful to the least. ROOT is the owner and passes every check (spec, point 6). */
export const roles = [
  'ROOT',
  'MERCHANT_ADMIN',
  'FINANCE',
  'APPROVER',
  'SUPPORT',
  'DEVELOPER',
  'MERCHANT_VIEWER',
] as const;
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
  /** Set the own payment password, which confirms payouts and withdrawals. */
  'paymentPassword.manage',
  /** Read the access key without its secret, and the IP whitelist. */
  'access.read',
  /** Reveal and replace the access key, change its callback URL and the IP whitelist. */
  'access.manage',
  'approvals.read',
  /** Approve and refuse what others ask for, as far as a rule names the person or a role of the person. */
  'approvals.decide',
  /** Change the rules that ask for approval. */
  'approvals.manage',
  'team.read',
  /** Invite people, change their roles, suspend and remove them. */
  'team.manage',
  /** Read what was done by everybody, with addresses and devices. */
  'audit.read',
] as const;
export type Perm = (typeof perms)[number];

const reading = [
  'dashboard.read',
  'collections.read',
  'settlements.read',
  'payouts.read',
  'topups.read',
  'withdrawals.read',
  'funds.read',
  'exports.read',
] as const satisfies readonly Perm[];

/** The table of permissions: what each role may do. The server, the console and the page "Roles" read it. */
const permsOfRole: Record<Role, readonly Perm[]> = {
  ROOT: perms,
  MERCHANT_ADMIN: perms,
  FINANCE: [
    ...reading,
    'payouts.create',
    'payouts.share',
    'topups.create',
    'withdrawals.create',
    'exports.create',
    'paymentPassword.manage',
    'approvals.read',
  ],
  APPROVER: [...reading, 'paymentPassword.manage', 'approvals.read', 'approvals.decide'],
  SUPPORT: ['collections.read', 'exports.read', 'exports.create'],
  DEVELOPER: ['access.read', 'access.manage'],
  MERCHANT_VIEWER: reading,
};

/** Returns the permissions that a set of roles grants, in the order of {@link perms}. Unknown roles grant nothing. */
export function permsOf(held: readonly Role[]): Perm[] {
  return perms.filter((perm) => held.some((role) => permsOfRole[role]?.includes(perm)));
}

/**
 * The permissions with which money can leave, or with which somebody can be given such a permission. As soon as a merchant has
 * approval rules, giving one of them needs approval.
 */
const paymentPerms: readonly Perm[] = [
  'payouts.create',
  'withdrawals.create',
  'access.manage',
  'approvals.decide',
  'approvals.manage',
  'team.manage',
];

/**
 * Whether roles grant a payment right that the roles before did not, or are those of somebody who may approve: a rule names roles, so a
 * second such role counts even if it grants nothing new.
 */
export function addsPaymentRights(before: readonly Role[], after: readonly Role[]): boolean {
  const had = permsOf(before);
  return (
    permsOf(after).some((perm) => paymentPerms.includes(perm) && !had.includes(perm)) ||
    after.some((role) => !before.includes(role) && permsOf([role]).includes('approvals.decide'))
  );
}

/**
 * Whether someone with the roles `held` may give or take the roles `given`: those grant nothing that `held` does not. Only an
 * owner may make or unmake owners.
 */
export function covers(held: readonly Role[], given: readonly Role[]): boolean {
  if (held.includes('ROOT')) return true;
  const own = permsOf(held);
  return !given.includes('ROOT') && permsOf(given).every((perm) => own.includes(perm));
}
