import type { MerchantMode } from './merchant-mode.ts';

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

/** The code of a role that a merchant has made itself. No role that every merchant has can ever have such a code. */
export type OwnRoleCode = `own_${string}`;
/** A role that a person can hold: one that every merchant has, or one of the merchant's own. */
export type RoleCode = Role | OwnRoleCode;

/** Whether a code is that of a role that every merchant has. */
export function isSharedRole(code: string): code is Role {
  return roles.some((role) => role === code);
}

/** The permissions. The server checks them on every call; the console only hides what is not permitted. */
export const perms = [
  'dashboard.read',
  'collections.read',
  /** Give payments back to payers. */
  'refunds.create',
  /** Change how the merchant appears on its checkout pages and receipts. */
  'checkout.manage',
  /** Create orders by hand, cancel them, have their channel asked, and send their callbacks again. */
  'collections.create',
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
  /** See callbacks with every attempt, and the endpoints that receive them. */
  'callbacks.read',
  /** Add, change, check and pause callback endpoints, reveal their secrets, and send callbacks again. */
  'callbacks.manage',
  /** Read the signed calls of the merchant's systems, with personal data masked. */
  'requests.read',
  'approvals.read',
  /** Approve and refuse what others ask for, as far as a rule names the person or a role of the person. */
  'approvals.decide',
  /** Change the rules that ask for approval. */
  'approvals.manage',
  'team.read',
  /** Invite people, make and give roles, suspend and remove people. */
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
    'refunds.create',
    'collections.create',
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
  DEVELOPER: ['access.read', 'access.manage', 'callbacks.read', 'callbacks.manage', 'requests.read'],
  MERCHANT_VIEWER: reading,
};

/** The permissions that cannot be used without others: a role that grants one grants those as well. */
const needs: Partial<Record<Perm, readonly Perm[]>> = {
  'refunds.create': ['collections.read', 'paymentPassword.manage'],
  'collections.create': ['collections.read'],
  'payouts.create': ['dashboard.read', 'payouts.read', 'paymentPassword.manage'],
  'payouts.share': ['payouts.read'],
  'topups.create': ['topups.read'],
  'withdrawals.create': ['withdrawals.read', 'paymentPassword.manage'],
  'exports.create': ['exports.read'],
  'access.manage': ['access.read'],
  'callbacks.manage': ['callbacks.read'],
  'approvals.decide': ['approvals.read', 'paymentPassword.manage'],
  'approvals.manage': ['approvals.read', 'paymentPassword.manage'],
  'team.manage': ['team.read'],
};

/** Returns permissions with those that they need, in the order of {@link perms}. */
export function withNeeded(chosen: readonly Perm[]): Perm[] {
  return perms.filter((perm) => chosen.includes(perm) || neededBy(chosen, perm).length > 0);
}

/** Returns those of the permissions `chosen` that need a permission. */
export function neededBy(chosen: readonly Perm[], perm: Perm): Perm[] {
  return chosen.filter((other) => needs[other]?.includes(perm));
}

/** The permissions of a merchant's own roles, by their codes. Roles that are retired are not among them. */
export type OwnPerms = Readonly<Record<string, readonly string[]>>;

/** Permissions of a role. A code that is in neither table grants nothing, and own roles are never looked up among the shared ones. */
function permsOfOne(code: RoleCode, own: OwnPerms): readonly string[] {
  if (isSharedRole(code)) return permsOfRole[code];
  return Object.hasOwn(own, code) ? (own[code] ?? []) : [];
}

/**
 * Returns the permissions that a set of roles grants, in the order of {@link perms}. `own`: the merchant's own roles. Roles and permissions
 * that are not known grant nothing.
 */
export function permsOf(held: readonly Role[]): Perm[];
export function permsOf(held: readonly RoleCode[], own: OwnPerms): Perm[];
export function permsOf(held: readonly RoleCode[], own: OwnPerms = {}): Perm[] {
  return perms.filter((perm) => held.some((code) => permsOfOne(code, own).includes(perm)));
}

/** Roles, with the permissions that they grant at this moment. */
export interface Grant {
  roles: readonly RoleCode[];
  perms: readonly Perm[];
}

/** The grant of somebody without roles. */
export const noGrant: Grant = { roles: [], perms: [] };

/** Returns what roles grant together. */
export function grantOf(held: readonly RoleCode[], own: OwnPerms): Grant {
  return { roles: held, perms: permsOf(held, own) };
}

/** Joins two grants. */
export function bothGrants(one: Grant, other: Grant): Grant {
  return {
    roles: [...new Set([...one.roles, ...other.roles])],
    perms: perms.filter((perm) => one.perms.includes(perm) || other.perms.includes(perm)),
  };
}

/**
 * The permissions with which money can leave, or with which somebody can be given such a permission. As soon as a merchant has
 * approval rules, giving one of them needs approval.
 */
export const paymentPerms: readonly Perm[] = [
  'payouts.create',
  'withdrawals.create',
  'access.manage',
  'approvals.decide',
  'approvals.manage',
  'team.manage',
];

/**
 * The permissions that no role gives in test mode: cryptocurrency is real, and people, their roles and the approval rules are those of
 * the live merchant.
 */
export const liveOnlyPerms: readonly Perm[] = [
  'topups.read',
  'topups.create',
  'withdrawals.read',
  'withdrawals.create',
  'approvals.manage',
  'team.manage',
];

/** Returns those of some permissions that apply in a mode. */
export function permsIn(mode: MerchantMode, given: readonly Perm[]): Perm[] {
  return given.filter((perm) => mode === 'live' || !liveOnlyPerms.includes(perm));
}

/**
 * Whether a grant contains a payment right that the grant before did not, or a role of those who may approve: a rule names roles, so a
 * second such role counts even if it grants nothing new. Rules do not name a merchant's own roles.
 */
export function addsPaymentRights(before: Grant, after: Grant): boolean {
  return (
    after.perms.some((perm) => paymentPerms.includes(perm) && !before.perms.includes(perm)) ||
    after.roles.some(
      (role) =>
        isSharedRole(role) && !before.roles.includes(role) && permsOf([role]).includes('approvals.decide'),
    )
  );
}

/**
 * Whether someone with the grant `held` may give or take the grant `given`: it contains nothing that `held` does not. Only an
 * owner may make or unmake owners.
 */
export function covers(held: Grant, given: Grant): boolean {
  if (held.roles.includes('ROOT')) return true;
  return !given.roles.includes('ROOT') && given.perms.every((perm) => held.perms.includes(perm));
}
