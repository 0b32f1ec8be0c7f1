import { permsOf, type Role } from '@hengfu/contract/permissions';
import type { CurrentUser } from '@hengfu/contract/session';
import { en } from '@hengfu/phrases/en';
import { vi } from '@hengfu/phrases/vi';
import { zhCn } from '@hengfu/phrases/zh-cn';
import { describe, expect, test } from 'vitest';
import { menu } from './menu.ts';
import {
  distinctName,
  homeOf,
  isLiveOnly,
  isPermitted,
  type Place,
  placeOf,
  stepsTo,
  visibleMenu,
} from './menu-rules.ts';
import { pinnedPath } from './tags/tag-rules.ts';

function userWith(...roles: Role[]): CurrentUser {
  const merchant = {
    code: 'demo',
    name: 'Demo',
    currency: 'CNY',
    zone: 'Asia/Shanghai',
    mode: 'live',
  } as const;
  return {
    id: '1',
    name: 'A',
    email: 'a@b.test',
    roles,
    perms: permsOf(roles),
    twoFactor: 'off',
    factors: [],
    zone: merchant.zone,
    language: null,
    merchant,
    hasOtherMerchants: false,
  };
}

test('a role of the merchant’s own opens the pages of its permissions', () => {
  const user = { ...userWith(), roles: ['own_0123456789abcdef' as const] };
  expect(pathsFor({ ...user, perms: [] })).not.toContain('/collection/payments');
  expect(pathsFor({ ...user, perms: ['collections.read'] })).toContain('/collection/payments');
  expect(pathsFor({ ...user, perms: ['collections.read'] })).not.toContain('/behalfPay/transfers');
});

test('in test mode, nobody has pages for what is real in every mode, not even an owner', () => {
  for (const role of ['ROOT', 'MERCHANT_ADMIN', 'FINANCE'] as const) {
    const user = userWith(role);
    const inTestMode = { ...user, merchant: { ...user.merchant, mode: 'test' as const } };
    const missing = pathsFor(user).filter((path) => !pathsFor(inTestMode).includes(path));
    expect([role, missing.toSorted()]).toEqual([
      role,
      ['/recharge/record', '/recharge/topup', '/withdrawal/apply', '/withdrawal/record'],
    ]);
    expect(menu.flatMap(({ children }) => children).filter((page) => isLiveOnly(page, user))).toEqual([]);
  }
});

function pathsFor(user: CurrentUser): string[] {
  return visibleMenu(menu, user).flatMap((group) => group.children.map((page) => page.path));
}

test('every page has the route name of the specification', () => {
  const named = menu.flatMap((group) => group.children).map(({ path, name }) => [path, name]);
  // The addresses of the IP whitelist, the checkout page, the team, the audit log, the request log and the approvals are not in the specification.
  const ours = [
    '/setting/ipAddress',
    '/setting/checkout',
    '/setting/team',
    '/setting/auditLog',
    '/approvals',
    '/setting/approvals',
    '/collection/new',
    '/collection/links',
    '/collection/editLink',
    '/collection/linkCard',
    '/developers/callbacks',
    '/developers/endpoints',
    '/developers/requests',
    '/developers/reference',
    '/setting/keys',
  ];
  expect(Object.fromEntries(named.filter(([path]) => !ours.includes(path ?? '')))).toEqual({
    '/dashboard': 'Dashboard',
    '/collection/payments': 'Payments',
    '/collection/refunds': 'Refunds',
    '/collection/Settlements': 'Settlements',
    '/behalfPay/transfers': 'Transfers',
    '/behalfPay/apply': 'transfersApply',
    '/recharge/topup': 'RechargeTopup',
    '/recharge/record': 'RechargereCord',
    '/withdrawal/apply': 'WithdrawalApply',
    '/withdrawal/record': 'WithdrawalCord',
    '/fund/fundWater': 'fundWater',
    '/fund/dailyReport': 'dailyReport',
    '/setting/personalData': 'PersonalData',
    '/setting/accountSecurity': 'AccountSecurity',
    '/setting/paymentPassword': 'PaymentPassword',
    '/setting/interfaceKey': 'InterfaceKey',
    '/lineExport': 'LineExport',
    '/contactUs': 'ContactUs',
    '/statusPages': 'StatusPages',
  });
});

describe('visibility by role and permission', () => {
  test('shows an administrator every page that is not hidden', () => {
    const all = menu.flatMap((group) => group.children).filter((page) => !page.hidden);
    expect(pathsFor(userWith('MERCHANT_ADMIN'))).toEqual(all.map((page) => page.path));
  });

  test('hides pages that move money or show keys from a read-only user', () => {
    const paths = pathsFor(userWith('MERCHANT_VIEWER'));
    expect(paths).toContain('/collection/payments');
    for (const path of [
      '/behalfPay/apply',
      '/recharge/topup',
      '/withdrawal/apply',
      '/setting/interfaceKey',
    ]) {
      expect(paths).not.toContain(path);
    }
  });

  test('permits ROOT on every page, including those that list other roles only', () => {
    const root = { ...userWith('ROOT'), perms: [] };
    expect(menu.flatMap((group) => group.children).every((page) => isPermitted(page, root))).toBe(true);
  });

  test('hides a page if the user has the role but lacks the permission', () => {
    const user = { ...userWith('MERCHANT_ADMIN'), perms: [] };
    expect(pathsFor(user)).toEqual(['/setting/personalData', '/setting/accountSecurity', '/contactUs']);
  });

  test('shows nothing to a user without roles, whatever the permissions', () => {
    expect(pathsFor({ ...userWith('MERCHANT_ADMIN'), roles: [] })).toEqual([]);
  });

  test.each([
    ['ROOT', '/dashboard'],
    ['FINANCE', '/dashboard'],
    ['SUPPORT', '/collection/payments'],
    ['DEVELOPER', '/developers/callbacks'],
    ['MERCHANT_VIEWER', '/dashboard'],
  ] as const)('leads %s to %s first', (role, path) => expect(homeOf(menu, userWith(role))).toBe(path));

  test('leaves no empty group', () => {
    const groups = visibleMenu(menu, userWith('MERCHANT_VIEWER'));
    expect(groups.every((group) => group.children.length > 0)).toBe(true);
  });
});

describe('menu', () => {
  test('has unique names and paths', () => {
    const pages = menu.flatMap((group) => group.children);
    expect(new Set(pages.map((page) => page.name)).size).toBe(pages.length);
    expect(new Set(pages.map((page) => page.path.toLowerCase())).size).toBe(pages.length);
  });

  test('redirects a group’s own address to one of its pages', () => {
    for (const group of menu.filter((candidate) => candidate.redirect)) {
      expect(group.children.map((page) => page.path)).toContain(group.redirect);
    }
  });

  test('pins only the dashboard', () => {
    const pinned = menu.flatMap((group) => group.children).filter((page) => page.path === pinnedPath);
    expect(pinned.map((page) => page.name)).toEqual(['Dashboard']);
  });
});

describe('placeOf', () => {
  test('ignores letter case and a trailing slash, as the router does', () => {
    for (const path of ['/collection/Settlements', '/collection/settlements', '/COLLECTION/settlements/']) {
      expect(placeOf(menu, path)?.page.name).toBe('Settlements');
    }
  });

  test('returns undefined for a path outside the menu', () => {
    expect(placeOf(menu, '/404')).toBeUndefined();
    expect(placeOf(menu, '/collection')).toBeUndefined();
  });
});

const everyPlace: Place[] = menu.flatMap((group) => group.children.map((page) => ({ group, page })));

describe('breadcrumb', () => {
  test.each(['ROOT', 'MERCHANT_ADMIN', 'MERCHANT_VIEWER'] as const)(
    'leads %s only to pages that the role may open',
    (role) => {
      const user = userWith(role);
      for (const place of everyPlace)
        for (const { path } of stepsTo(menu, place, user)) {
          const target = placeOf(menu, path);
          expect(target && isPermitted(target.page, user), `${place.page.path} > ${path}`).toBe(true);
        }
    },
  );

  const stepsFrom = (path: string, role: Role) => {
    const place = placeOf(menu, path);
    return place && stepsTo(menu, place, userWith(role)).map((step) => step.path);
  };

  test('leads from a group to its own first page', () => {
    expect(stepsFrom('/recharge/record', 'MERCHANT_ADMIN')).toEqual(['/dashboard', '/recharge/topup']);
    expect(stepsFrom('/dashboard', 'MERCHANT_ADMIN')).toEqual([]);
  });

  test('leaves out a group of which the user sees one page', () => {
    expect(stepsFrom('/recharge/record', 'MERCHANT_VIEWER')).toEqual(['/dashboard']);
    expect(stepsFrom('/fund/dailyReport', 'MERCHANT_VIEWER')).toEqual(['/dashboard', '/fund/fundWater']);
  });
});

test.each([
  ['en', en],
  ['zh-cn', zhCn],
  ['vi', vi],
] as const)('no two open pages have the same name in %s', (_language, phrases) => {
  const t = (key: string) =>
    key
      .split('.')
      .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], phrases) as string;
  const names = everyPlace.map((place) => distinctName(menu, place, t));
  expect(new Set(names).size).toBe(names.length);
});

test('only pages that share a title are named with their group', () => {
  const nameOf = (path: string) => {
    const place = placeOf(menu, path);
    return place && distinctName(menu, place, (key) => en.shell.menu[key.split('.')[2] as 'payments']);
  };
  expect(nameOf('/collection/payments')).toBe('Receive money · Transactions');
  expect(nameOf('/fund/fundWater')).toBe('Funds · Transactions');
  expect(nameOf('/collection/Settlements')).toBe('Settlements');
});
