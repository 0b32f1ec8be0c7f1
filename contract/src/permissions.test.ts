import { describe, expect, it } from 'vitest';
import { ownRoleInput } from './own-roles.ts';
import {
  covers,
  grantOf,
  isSharedRole,
  noGrant,
  permsOf,
  type RoleCode,
  roles,
  withNeeded,
} from './permissions.ts';
import { inOrder, roleCode } from './role-codes.ts';

const own = {
  own_0000000000000000: ['collections.read', 'something.later'],
  own_1111111111111111: ['audit.read'],
};

describe('the permissions of roles', () => {
  it('are those of the shared table and of the merchant’s own roles, and none for anything else', () => {
    expect(permsOf(['SUPPORT', 'own_1111111111111111'], own)).toEqual([
      'collections.read',
      'exports.read',
      'exports.create',
      'audit.read',
    ]);
    // A permission that this version does not know is not granted.
    expect(permsOf(['own_0000000000000000'], own)).toEqual(['collections.read']);
    for (const code of ['own_2222222222222222', 'constructor', '__proto__', 'toString', 'root', ''])
      expect(permsOf([code as RoleCode], own)).toEqual([]);
    expect(permsOf(['own_1111111111111111'], {})).toEqual([]);
  });

  it('of an own role never replace those of a shared one, and never make an owner', () => {
    const forged = { ROOT: [], SUPPORT: ['payouts.create'] };
    expect(permsOf(['SUPPORT'], forged)).toEqual(permsOf(['SUPPORT']));
    const everything = grantOf(['own_3333333333333333'], { own_3333333333333333: permsOf(['ROOT']) });
    expect(covers(everything, grantOf(['MERCHANT_ADMIN'], {}))).toBe(true);
    expect(covers(everything, grantOf(['ROOT'], {}))).toBe(false);
    expect(covers(noGrant, noGrant)).toBe(true);
  });

  it('contain those that they need, in every role', () => {
    for (const role of roles) expect(withNeeded(permsOf([role]))).toEqual(permsOf([role]));
    expect(withNeeded(['team.manage', 'exports.create'])).toEqual([
      'exports.read',
      'exports.create',
      'team.read',
      'team.manage',
    ]);
    expect(ownRoleInput.parse({ name: 'n', perms: ['topups.create'] })).toEqual({
      name: 'n',
      description: '',
      perms: ['topups.read', 'topups.create'],
    });
    // Needs are complete: adding them adds no further ones.
    for (const perm of permsOf(['ROOT'])) {
      const once = withNeeded([perm]);
      expect(withNeeded(once)).toEqual(once);
    }
  });
});

describe('the code of a role', () => {
  it('is a shared role’s, or has a form that no shared role has', () => {
    const codes = [
      'ROOT',
      'own_0123456789abcdef',
      'own_',
      'own_0123456789ABCDEF',
      'own_0123456789abcdef0',
      'NOBODY',
    ];
    expect(codes.map((code) => roleCode.safeParse(code).success)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(roles.some((role) => role.startsWith('own_'))).toBe(false);
    expect(isSharedRole('own_0123456789abcdef')).toBe(false);
  });

  it('stands once, in one order', () => {
    const given: RoleCode[] = ['own_b', 'FINANCE', 'own_a', 'ROOT', 'own_b', 'FINANCE'];
    expect(inOrder(given)).toEqual(['ROOT', 'FINANCE', 'own_a', 'own_b']);
  });
});
