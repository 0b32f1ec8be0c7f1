import * as z from 'zod';
import { roleText } from './own-roles.ts';
import { ownRoleCode, roleCode } from './role-codes.ts';

/** A change of the team for which somebody has asked: the roles before and after. */
export const teamChange = z.object({
  action: z.enum(['invite', 'roles', 'reactivate']),
  person: z.string(),
  before: z.array(roleCode),
  after: z.array(roleCode),
  /** Those of the roles that the merchant has made, as they were when it was asked for. */
  own: z.array(roleText.extend({ code: ownRoleCode })),
});

/** A change of a role that the merchant has made, with the names of those who hold it. */
export const ownRoleChange = z.object({ before: roleText, after: roleText, holders: z.array(z.string()) });
