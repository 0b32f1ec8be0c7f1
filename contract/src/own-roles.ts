import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { perms, withNeeded } from './permissions.ts';
import { phrase } from './phrase.ts';
import { ownRoleCode } from './role-codes.ts';
import { visibleText } from './visible-text.ts';

/** Roles that one merchant may make or change within an hour. */
export const roleChangesPerHour = 60;
/** The longest name and description of a role. */
const maxNameLength = 40;
const maxDescriptionLength = 200;

/** Names and explains one of a merchant's own roles. */
export const namedRole = z.object({
  code: ownRoleCode,
  name: z.string(),
  /** Empty if there is none. */
  description: z.string(),
});
export type NamedRole = z.output<typeof namedRole>;

/** The parts of a role that a person sets, as others read them. */
export const roleText = z.object({
  name: z.string(),
  description: z.string(),
  perms: z.array(z.enum(perms)),
});

/** A role that a merchant has made. */
export const ownRole = roleText.extend({
  code: ownRoleCode,
  /** Counts the changes: whoever changes the role names the version that was on screen. */
  version: z.number().int(),
});
export type OwnRole = z.output<typeof ownRole>;

/** A role as a person sets it. Permissions that a chosen one needs are added. */
export const ownRoleInput = z.strictObject({
  name: visibleText('validation.roleNameRequired', maxNameLength).overwrite((name) =>
    name.replace(/\s+/gu, ' '),
  ),
  description: visibleText(undefined, maxDescriptionLength).default(''),
  perms: z
    .array(z.enum(perms, phrase('validation.choice')), phrase('validation.permsRequired'))
    .min(1, phrase('validation.permsRequired'))
    .max(perms.length, phrase('validation.choice'))
    .transform(withNeeded),
});
export type OwnRoleInput = z.output<typeof ownRoleInput>;

/** The form of a role: a name, and at least one box ticked. */
export const ownRoleForm = ownRoleInput.extend({ perms: z.string(phrase('validation.permsRequired')) });

const byCode = z.object({ role: z.string().max(32) });
const managing = { access: 'session', perm: 'team.manage', isPasswordConfirmed: true } as const;

/** The roles that a merchant makes from the list of permissions. They are read with the team. */
export const ownRoleEndpoints = {
  create: endpoint({
    ...managing,
    method: 'POST',
    path: '/api/merchant/team/roles',
    summary: 'Makes a role from the list of permissions. It can grant no more than the caller’s own roles.',
    body: ownRoleInput,
    status: 201,
    reply: z.object({ data: ownRole }),
    errors: ['roles_exceed', 'quota_reached', 'too_many_attempts'],
  }),
  change: endpoint({
    ...managing,
    method: 'PUT',
    path: '/api/merchant/team/roles/:role',
    summary:
      'Changes a role, for everybody who holds it. If somebody gains a payment right, and the merchant has approval rules, the change is a request.',
    params: byCode,
    body: ownRoleInput.extend({ version: z.number().int() }),
    status: 200,
    /** The number of the request; null if the role has been changed. */
    reply: z.object({ data: z.object({ request_no: z.string().nullable() }) }),
    errors: [
      'not_found',
      'roles_exceed',
      'own_membership',
      'approvers_missing',
      'conflict',
      'request_waiting',
      'too_many_attempts',
    ],
  }),
  retire: endpoint({
    ...managing,
    method: 'DELETE',
    path: '/api/merchant/team/roles/:role',
    summary: 'Retires a role that nobody holds.',
    params: byCode,
    status: 204,
    errors: ['not_found', 'roles_exceed', 'role_in_use'],
  }),
};
