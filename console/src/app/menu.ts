import { type Perm, type Role, roles } from '@hengfu/contract/permissions';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { IconName } from '@hengfu/ui/controls/icon.tsx';
import type { RegisteredRouter } from '@tanstack/react-router';

/** A path of the route tree, so that a menu entry without a route does not compile. */
export type PagePath = keyof RegisteredRouter['routesByPath'];

/** A page of the console, as used by the menu, guard, breadcrumb and tags. */
export interface MenuPage {
  path: PagePath;
  /** The specification's route name; also the key under which a page is kept alive. */
  name: string;
  title: PhraseKey;
  /** Any one of them is enough; ROOT may open every page. */
  roles: readonly Role[];
  /** Any one of them is required in addition to the role. Absent: the role is enough. */
  perms?: readonly Perm[];
  /** Reachable, but not in the menu. */
  hidden?: true;
  /** Mounted afresh on each visit, even if tagged: it shows secrets, or data that ages quickly. */
  isFresh?: true;
  /** Shows how much waits for the user behind the page's name. */
  badge?: 'approvals';
}

/** Pages under one heading. A group with exactly one visible child shows as that child. */
export interface MenuGroup {
  path: PagePath;
  title: PhraseKey;
  icon: IconName;
  /** Target of the group's own address. */
  redirect?: PagePath;
  children: readonly MenuPage[];
}

function page(
  path: PagePath,
  name: string,
  title: PhraseKey,
  rules: Pick<MenuPage, 'perms' | 'hidden' | 'isFresh' | 'badge'> = {},
): MenuPage {
  return { path, name, title, roles, ...rules };
}

/** The menu in display order (specification, point 2), including hidden pages. */
export const menu: readonly MenuGroup[] = [
  {
    path: '/',
    title: 'shell.menu.dashboard',
    icon: 'dashboard',
    redirect: '/dashboard',
    children: [
      page('/dashboard', 'Dashboard', 'shell.menu.dashboard', { perms: ['dashboard.read'], isFresh: true }),
    ],
  },
  {
    path: '/collection',
    title: 'shell.menu.collection',
    icon: 'receive',
    redirect: '/collection/payments',
    children: [
      page('/collection/payments', 'Payments', 'shell.menu.payments', { perms: ['collections.read'] }),
      page('/collection/refunds', 'Refunds', 'shell.menu.refunds', { perms: ['collections.read'] }),
      page('/collection/new', 'NewCollection', 'shell.menu.newCollection', {
        hidden: true,
        perms: ['collections.create'],
      }),
      page('/collection/links', 'PaymentLinks', 'shell.menu.paymentLinks', { perms: ['collections.read'] }),
      page('/collection/editLink', 'EditLink', 'shell.menu.editLink', {
        hidden: true,
        isFresh: true,
        perms: ['collections.create'],
      }),
      page('/collection/linkCard', 'LinkCard', 'paymentLinks.cardTitle', {
        hidden: true,
        isFresh: true,
        perms: ['collections.read'],
      }),
      page('/collection/Settlements', 'Settlements', 'shell.menu.settlements', {
        perms: ['settlements.read'],
      }),
    ],
  },
  {
    path: '/behalfPay',
    title: 'shell.menu.behalfPay',
    icon: 'send',
    redirect: '/behalfPay/transfers',
    children: [
      page('/behalfPay/apply', 'transfersApply', 'shell.menu.transfersApply', { perms: ['payouts.create'] }),
      page('/behalfPay/transfers', 'Transfers', 'shell.menu.transfers', { perms: ['payouts.read'] }),
    ],
  },
  {
    path: '/recharge',
    title: 'shell.menu.recharge',
    icon: 'topUp',
    redirect: '/recharge/topup',
    children: [
      page('/recharge/topup', 'RechargeTopup', 'shell.menu.topup', { perms: ['topups.create'] }),
      page('/recharge/record', 'RechargereCord', 'shell.menu.rechargeRecord', { perms: ['topups.read'] }),
    ],
  },
  {
    path: '/withdrawal',
    title: 'shell.menu.withdrawal',
    icon: 'withdraw',
    redirect: '/withdrawal/apply',
    children: [
      page('/withdrawal/apply', 'WithdrawalApply', 'shell.menu.withdrawalApply', {
        perms: ['withdrawals.create'],
      }),
      page('/withdrawal/record', 'WithdrawalCord', 'shell.menu.withdrawalRecord', {
        perms: ['withdrawals.read'],
      }),
    ],
  },
  {
    path: '/fund',
    title: 'shell.menu.fund',
    icon: 'funds',
    redirect: '/fund/fundWater',
    children: [
      page('/fund/fundWater', 'fundWater', 'shell.menu.fundWater', { perms: ['funds.read'] }),
      page('/fund/dailyReport', 'dailyReport', 'shell.menu.dailyReport', { perms: ['funds.read'] }),
    ],
  },
  {
    path: '/approvals',
    title: 'shell.menu.approvals',
    icon: 'shield',
    children: [
      page('/approvals', 'Approvals', 'shell.menu.approvals', {
        perms: ['approvals.read'],
        badge: 'approvals',
      }),
    ],
  },
  {
    path: '/developers',
    title: 'shell.menu.developers',
    icon: 'developers',
    redirect: '/developers/callbacks',
    children: [
      page('/developers/callbacks', 'Callbacks', 'shell.menu.callbacks', { perms: ['callbacks.read'] }),
      page('/developers/endpoints', 'CallbackEndpoints', 'shell.menu.callbackEndpoints', {
        isFresh: true,
        perms: ['callbacks.read'],
      }),
      page('/developers/requests', 'Requests', 'shell.menu.requests', { perms: ['requests.read'] }),
      page('/developers/reference', 'Reference', 'shell.menu.reference', { perms: ['requests.read'] }),
    ],
  },
  {
    path: '/setting',
    title: 'shell.menu.setting',
    icon: 'settings',
    redirect: '/setting/personalData',
    children: [
      page('/setting/personalData', 'PersonalData', 'shell.menu.personalData'),
      page('/setting/accountSecurity', 'AccountSecurity', 'shell.menu.accountSecurity', { isFresh: true }),
      page('/setting/paymentPassword', 'PaymentPassword', 'shell.menu.paymentPassword', {
        isFresh: true,
        perms: ['paymentPassword.manage'],
      }),
      page('/setting/interfaceKey', 'InterfaceKey', 'shell.menu.interfaceKey', {
        isFresh: true,
        perms: ['access.read'],
      }),
      page('/setting/keys', 'AccessKeys', 'shell.menu.accessKeys', { isFresh: true, perms: ['access.read'] }),
      page('/setting/ipAddress', 'IpAddress', 'shell.menu.ipAddress', {
        perms: ['access.read'],
      }),
      page('/setting/checkout', 'Checkout', 'shell.menu.checkout', { perms: ['checkout.manage'] }),
      page('/setting/approvals', 'ApprovalRules', 'shell.menu.approvalRules', {
        perms: ['approvals.read'],
      }),
      page('/setting/team', 'Team', 'shell.menu.team', { perms: ['team.read'] }),
      page('/setting/auditLog', 'AuditLog', 'shell.menu.auditLog', {
        perms: ['audit.read'],
      }),
    ],
  },
  {
    path: '/lineExport',
    title: 'shell.menu.lineExport',
    icon: 'exports',
    children: [page('/lineExport', 'LineExport', 'shell.menu.lineExport', { perms: ['exports.read'] })],
  },
  {
    path: '/contactUs',
    title: 'shell.menu.contactUs',
    icon: 'contact',
    children: [
      page('/contactUs', 'ContactUs', 'shell.menu.contactUs'),
      page('/statusPages', 'StatusPages', 'shell.menu.statusPages', { hidden: true }),
    ],
  },
];
