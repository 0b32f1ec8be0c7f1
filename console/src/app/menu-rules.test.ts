import { permsOf, type Role } from '@hengfu/contract/permissions';
import type { CurrentUser } from '@hengfu/contract/session';
import { describe, expect, test } from 'vitest';
import { menu } from './menu.ts';
import { isPermitted, placeOf, visibleMenu } from './menu-rules.ts';
import { pinnedPath } from './tags/tag-rules.ts';

function userWith(...roles: Role[]): CurrentUser {
  const merchant = { code: 'demo', name: 'Demo', currency: 'CNY', zone: 'Asia/Shanghai' } as const;
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
  };
}

function pathsFor(user: CurrentUser): string[] {
  return visibleMenu(menu, user).flatMap((group) => group.children.map((page) => page.path));
}

describe('who sees what', () => {
  test('an administrator sees every page that is not hidden', () => {
    const all = menu.flatMap((group) => group.children).filter((page) => !page.hidden);
    expect(pathsFor(userWith('MERCHANT_ADMIN'))).toEqual(all.map((page) => page.path));
  });

  test('somebody who only reads sees nothing that applies for money or shows keys', () => {
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

  test('ROOT meets every page, also those that name other roles only', () => {
    const root = { ...userWith('ROOT'), perms: [] };
    expect(menu.flatMap((group) => group.children).every((page) => isPermitted(page, root))).toBe(true);
  });

  test('the role alone is not enough where a perm is asked for', () => {
    const user = { ...userWith('MERCHANT_ADMIN'), perms: [] };
    expect(pathsFor(user)).toEqual(['/setting/personalData', '/setting/accountSecurity', '/contactUs']);
  });

  test('a user without roles sees nothing, whatever the perms say', () => {
    expect(pathsFor({ ...userWith('MERCHANT_ADMIN'), roles: [] })).toEqual([]);
  });

  test('no empty group remains', () => {
    const groups = visibleMenu(menu, userWith('MERCHANT_VIEWER'));
    expect(groups.every((group) => group.children.length > 0)).toBe(true);
  });
});

describe('the menu itself', () => {
  test('names and paths are unique', () => {
    const pages = menu.flatMap((group) => group.children);
    expect(new Set(pages.map((page) => page.name)).size).toBe(pages.length);
    expect(new Set(pages.map((page) => page.path.toLowerCase())).size).toBe(pages.length);
  });

  test('a group’s own address leads to one of its pages', () => {
    for (const group of menu.filter((candidate) => candidate.redirect)) {
      expect(group.children.map((page) => page.path)).toContain(group.redirect);
    }
  });

  test('the dashboard is the only pinned page', () => {
    const pinned = menu.flatMap((group) => group.children).filter((page) => page.path === pinnedPath);
    expect(pinned.map((page) => page.name)).toEqual(['Dashboard']);
  });
});

describe('where a path is', () => {
  test('letter case and a slash at the end do not matter, as in the router', () => {
    for (const path of ['/collection/Settlements', '/collection/settlements', '/COLLECTION/settlements/']) {
      expect(placeOf(menu, path)?.page.name).toBe('Settlements');
    }
  });

  test('a path outside of the menu is nowhere', () => {
    expect(placeOf(menu, '/404')).toBeUndefined();
    expect(placeOf(menu, '/collection')).toBeUndefined();
  });
});
