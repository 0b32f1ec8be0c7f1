import { type Grant, grantOf, type OwnPerms, type RoleCode } from '@hengfu/contract/permissions';

/**
 * Returns a role's name as names are compared, so that no two look the same: without case, width, and characters that cannot be seen,
 * such as the joiners of emoji.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

/** A member or an invitation. */
export interface Holding {
  /** `user:<id>` or `invitation:<id>`. */
  who: string;
  /** The person's name or email address. */
  name: string;
  roles: readonly RoleCode[];
  /** Whether the person may act now. */
  isActive: boolean;
}

/** Somebody whose permissions a change of a role changes. */
export interface Affected extends Holding {
  before: Grant;
  after: Grant;
}

/** Returns those who gain or lose a permission when the merchant's own roles change. */
export function affectedBy(everybody: readonly Holding[], before: OwnPerms, after: OwnPerms): Affected[] {
  return everybody
    .map((holding) => ({
      ...holding,
      before: grantOf(holding.roles, before),
      after: grantOf(holding.roles, after),
    }))
    .filter((affected) => affected.before.perms.join() !== affected.after.perms.join());
}
