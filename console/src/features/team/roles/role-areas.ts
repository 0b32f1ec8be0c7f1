import type { Perm } from '@hengfu/contract/permissions';
import type { en } from '@hengfu/phrases/en';

/** The permissions by area, in the order in which a role's editor shows them. */
export const areas: Readonly<Record<keyof typeof en.ownRoles.area, readonly Perm[]>> = {
  figures: ['dashboard.read', 'funds.read'],
  incoming: [
    'collections.read',
    'collections.create',
    'refunds.create',
    'checkout.manage',
    'settlements.read',
    'topups.read',
    'topups.create',
  ],
  outgoing: [
    'payouts.read',
    'payouts.create',
    'payouts.share',
    'withdrawals.read',
    'withdrawals.create',
    'paymentPassword.manage',
  ],
  exports: ['exports.read', 'exports.create'],
  approvals: ['approvals.read', 'approvals.decide', 'approvals.manage'],
  access: ['access.read', 'access.manage', 'callbacks.read', 'callbacks.manage', 'requests.read'],
  team: ['team.read', 'team.manage', 'audit.read'],
};
export const areaNames = Object.keys(areas) as (keyof typeof areas)[];
