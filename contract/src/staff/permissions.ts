/** The roles of our own staff. They have nothing to do with the roles of a merchant's people. */
export const staffRoles = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** The permissions of our staff. No name occurs among a merchant's permissions, so neither can stand for the other. */
export const staffPerms = [
  /** See what waits, and for how long. */
  'today.read',
  /** See the money of all merchants together. */
  'figures.read',
  'topupReviews.read',
  /** Take a top-up that waits for a decision, approve what arrived, and reject. */
  'topupReviews.decide',
  /** Take an approved top-up, and credit it, so that the merchant can spend it. */
  'topupReviews.credit',
  'withdrawalReviews.read',
  /** Take a withdrawal that waits for a decision, approve and reject. */
  'withdrawalReviews.decide',
  /** Take an approved withdrawal, and mark it as paid. */
  'withdrawalReviews.pay',
  /** See the requests that a second person has to agree to. Deciding one needs the permission of its kind. */
  'requests.read',
  'merchants.read',
  /** See what a merchant sees in its console, for a reason that the merchant reads. */
  'merchants.see',
  /** Write notes about a merchant. */
  'merchants.note',
  /** Unlock people of merchants, and end their sessions. */
  'merchants.support',
  /** Ask for, or agree to, the removal of a second factor of a merchant's person. */
  'merchants.factors',
  /** Agree to people, keys, addresses and approval rules that an operator sets up for a merchant. */
  'merchants.access',
  /** Agree to a transfer of funds between merchants. */
  'funds.transfer',
  /** Create merchants, and invite their owners. */
  'merchants.create',
  /** Suspend merchants, and ask for or agree to the end of a suspension. */
  'merchants.suspend',
  /** Ask for, or agree to, the terms of a merchant. */
  'merchants.terms',
  /** See the payouts and collections of all merchants. */
  'orders.read',
  /** Have a channel asked, a payout sent, or a callback sent again. */
  'orders.act',
  /** Decide the outcome of a payout by the bank's statement, together with a second person. */
  'orders.decide',
  'reconciliation.read',
  /** Upload statements, decide about differences, and close days. */
  'reconciliation.write',
  'channels.read',
  /** Open and close channels, at once. */
  'channels.set',
  'incidents.read',
  /** Open, update and resolve incidents on the status page of all merchants. */
  'incidents.write',
  'announcements.read',
  /** Write, change and end announcements to merchants. */
  'announcements.write',
  'contact.read',
  /** Ask for, or agree to, changes of the contact page of all merchants. */
  'contact.set',
  'rates.read',
  /** Ask for an exchange rate, and approve what somebody else asks for. */
  'rates.set',
  'wallets.read',
  /** Ask for a deposit wallet, and approve what somebody else asks for. */
  'wallets.set',
  /** See queues of jobs, ledger proofs, seals of the audit trail, and the age of backups. */
  'health.read',
  /** Read everything that was done, in the service and at all merchants. */
  'audit.readAll',
  /** See the accounts of our staff. */
  'staff.read',
  /** Ask for accounts of our staff and for changes of them, and approve what somebody else asks for. */
  'staff.manage',
] as const;
export type StaffPerm = (typeof staffPerms)[number];

/** Settings and state of the service, which everybody may see. */
const serviceReads = [
  'channels.read',
  'incidents.read',
  'announcements.read',
  'contact.read',
  'rates.read',
  'wallets.read',
  'health.read',
] as const satisfies readonly StaffPerm[];

/** The table of permissions: what each role may do. The server checks them on every call; the pages only hide. */
const permsOfRole: Record<StaffRole, readonly StaffPerm[]> = {
  ADMIN: staffPerms,
  REVIEWER: [
    'today.read',
    'topupReviews.read',
    'topupReviews.decide',
    'withdrawalReviews.read',
    'withdrawalReviews.decide',
    'requests.read',
    'merchants.read',
    'merchants.note',
    'orders.read',
    ...serviceReads,
  ],
  FINANCE: [
    'today.read',
    'figures.read',
    'topupReviews.read',
    'topupReviews.credit',
    'withdrawalReviews.read',
    'withdrawalReviews.pay',
    'requests.read',
    'merchants.read',
    'merchants.note',
    'merchants.suspend',
    'merchants.terms',
    'funds.transfer',
    'orders.read',
    'orders.act',
    'orders.decide',
    'reconciliation.read',
    'reconciliation.write',
    'rates.set',
    'wallets.set',
    ...serviceReads,
  ],
  SUPPORT: [
    'today.read',
    'topupReviews.read',
    'withdrawalReviews.read',
    'requests.read',
    'merchants.read',
    'merchants.see',
    'merchants.note',
    'merchants.support',
    'merchants.factors',
    'orders.read',
    'orders.act',
    'reconciliation.read',
    'incidents.write',
    'contact.set',
    'announcements.write',
    ...serviceReads,
  ],
};

/** Returns the permissions that a set of roles grants, in the order of {@link staffPerms}. Unknown roles grant nothing. */
export function staffPermsOf(held: readonly StaffRole[]): StaffPerm[] {
  return staffPerms.filter((perm) => held.some((role) => permsOfRole[role]?.includes(perm)));
}
