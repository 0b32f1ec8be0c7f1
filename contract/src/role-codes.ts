import * as z from 'zod';
import { isSharedRole, type RoleCode, roles } from './permissions.ts';
import { phrase } from './phrase.ts';

/** The code of a merchant's own role. It is random, so that a role of another name is never taken for one that was retired. */
export const ownRoleCode = z.templateLiteral(
  ['own_', z.string().regex(/^[0-9a-z]{16}$/)],
  phrase('validation.choice'),
);

/** A role that a person can hold, as calls name it. */
export const roleCode = z.union([z.enum(roles), ownRoleCode], phrase('validation.choice'));

/** Returns roles in the order in which they are stored, each once: those that every merchant has, then the merchant's own. */
export function inOrder(given: readonly RoleCode[]): RoleCode[] {
  const own = given.filter((code) => !isSharedRole(code));
  return [...roles.filter((role) => given.includes(role)), ...new Set(own.toSorted())];
}
