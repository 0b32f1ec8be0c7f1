import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { phrase } from '../phrase.ts';
import { emailAddress } from '../session.ts';
import { staffRoles } from './permissions.ts';
import { askedReply, reasonText } from './texts.ts';

/** The two parts of a generated password: the person who asked for the account gives one, the person who approved the other. */
export const passwordParts = ['first', 'second'] as const;
export type PasswordPart = (typeof passwordParts)[number];

/** An account of our staff. */
export const staffAccount = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.enum(staffRoles)),
  hasFactor: z.boolean(),
  createdAt: instant,
  lastSignInAt: instant.nullable(),
  disabledAt: instant.nullable(),
  /** The part of a new password that the reader has to hand over, and has not seen yet. */
  part: z.enum(passwordParts).nullable(),
});
export type StaffAccount = z.output<typeof staffAccount>;

const maxNameLength = 80;
/** Names of our staff: one line without a colon, so that none looks like `operator:<name>`. Full-width colons look the same. */
export const staffNamePattern = /^[^:：\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u;

/** Roles as a form sends them: separated by commas. */
const roles = z
  .string(phrase('validation.rolesRequired'))
  .transform((text) => [...new Set(text.split(',').filter((each) => each !== ''))])
  .pipe(z.array(z.enum(staffRoles, phrase('validation.choice'))).min(1, phrase('validation.rolesRequired')));

const oneAccount = z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) });

/** All changes of an account. */
export const accountChangeKinds = ['create', 'roles', 'disable', 'enable', 'reset'] as const;

/** Changes of the access of an account. A reset removes the second factor and replaces the password. */
export const accessChanges = ['disable', 'enable', 'reset'] as const;
export type AccessChange = (typeof accessChanges)[number];

export const staffAccountEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/accounts',
    summary: 'Lists the accounts of the back office: roles, second factor, last sign-in.',
    access: 'staff',
    staffPerm: 'staff.read',
    status: 200,
    reply: z.object({ data: z.array(staffAccount) }),
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/staff/accounts',
    summary: 'Asks for a new account. It is added once a second person agrees.',
    access: 'staff',
    staffPerm: 'staff.manage',
    body: z.strictObject({
      email: emailAddress,
      name: z
        .string(phrase('validation.nameRequired'))
        .trim()
        .min(1, phrase('validation.nameRequired'))
        .max(maxNameLength, phrase('validation.tooLong'))
        // Operators and tasks are named with a colon.
        .regex(staffNamePattern, phrase('validation.nameColon')),
      roles,
      reason: reasonText,
    }),
    ...askedReply,
    errors: ['request_waiting'],
  }),
  roles: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:id/roles',
    summary: 'Asks for other roles of an account. Nobody changes the own one.',
    access: 'staff',
    staffPerm: 'staff.manage',
    params: oneAccount,
    body: z.strictObject({ roles, reason: reasonText }),
    ...askedReply,
    errors: ['not_found', 'forbidden', 'request_waiting', 'roles_unchanged'],
  }),
  access: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:id/access',
    summary:
      'Asks to disable or enable an account, or to reset its second factor and password. Nobody changes the own one.',
    access: 'staff',
    staffPerm: 'staff.manage',
    params: oneAccount,
    body: z.strictObject({ change: z.enum(accessChanges), reason: reasonText }),
    ...askedReply,
    errors: ['not_found', 'forbidden', 'request_waiting', 'account_active', 'account_disabled'],
  }),
  part: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:id/password-part',
    summary:
      'Returns, once, the part of a new password that the caller hands over: the first one to the person who asked, the second one to the person who approved.',
    access: 'staff',
    staffPerm: 'staff.manage',
    params: oneAccount,
    status: 200,
    reply: z.object({ data: z.object({ part: z.enum(passwordParts), text: z.string() }) }),
    errors: ['not_found'],
  }),
};
