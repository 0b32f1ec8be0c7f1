import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { languages } from '../languages.ts';
import { instant } from '../lists.ts';
import { phrase } from '../phrase.ts';
import { passwordChange } from '../profile.ts';
import { credentials } from '../session.ts';
import { staffLevels } from './level.ts';
import { staffProof } from './passkeys.ts';
import { staffPerms, staffRoles } from './permissions.ts';

/** The signed-in member of our staff. */
export const currentStaff = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.enum(staffRoles)).min(1),
  perms: z.array(z.enum(staffPerms)),
  level: z.enum(staffLevels),
  /** Whether an authenticator app or a passkey is bound. */
  hasFactor: z.boolean(),
  hasPasskey: z.boolean(),
  language: z.enum(languages).nullable(),
});
export type CurrentStaff = z.output<typeof currentStaff>;

/** Sign-in form of our staff. */
export const staffCredentials = credentials.pick({ email: true, password: true, _token: true });

/** A code of the authenticator app. */
export const staffCode = z.object({
  code: z
    .string(phrase('validation.codeRequired'))
    .trim()
    .min(1, phrase('validation.codeRequired'))
    .max(16, phrase('validation.codeWrong')),
});

export const staffSessionRow = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  createdAt: instant,
  lastSeenAt: instant,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});
export type StaffSessionRow = z.output<typeof staffSessionRow>;

export const staffSessionEndpoints = {
  csrfCookie: endpoint({
    method: 'GET',
    path: '/api/staff/csrf-cookie',
    summary: 'Sets the session cookie and the XSRF cookie of the back office.',
    access: 'public',
    status: 204,
    errors: [],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/staff/login',
    summary: 'Signs in with email and password. The level says what is still missing.',
    access: 'public',
    isSignIn: true,
    body: staffCredentials,
    status: 200,
    reply: z.object({ level: z.enum(staffLevels) }),
    errors: ['too_many_attempts'],
  }),
  challenge: endpoint({
    method: 'POST',
    path: '/api/staff/two-factor-challenge',
    summary: 'Completes the sign-in with a code of the authenticator app, or with a passkey.',
    access: 'staff',
    staffLevel: 'password',
    isSignIn: true,
    body: staffProof,
    status: 204,
    errors: ['too_many_attempts'],
  }),
  bind: endpoint({
    method: 'POST',
    path: '/api/staff/two-factor',
    summary: 'Begins to bind an authenticator app, and returns its secret. Only while none is bound.',
    access: 'staff',
    staffLevel: 'binding',
    status: 200,
    reply: z.object({ data: z.object({ secretKey: z.string(), url: z.string(), svg: z.string() }) }),
    errors: ['conflict'],
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/staff/two-factor/confirmation',
    summary: 'Binds the app with a first code, and ends all other sessions.',
    access: 'staff',
    staffLevel: 'binding',
    isSignIn: true,
    body: staffCode,
    status: 204,
    errors: ['conflict', 'too_many_attempts'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/staff/logout',
    summary: 'Ends the session.',
    access: 'staff',
    staffLevel: 'password',
    status: 204,
    errors: [],
  }),
  user: endpoint({
    method: 'GET',
    path: '/api/staff/user',
    summary: 'Returns the signed-in person with roles and permissions.',
    access: 'staff',
    staffLevel: 'binding',
    status: 200,
    reply: z.object({ data: currentStaff }),
    errors: [],
  }),
  language: endpoint({
    method: 'PUT',
    path: '/api/staff/user/language',
    summary: 'Keeps the language that the person has chosen.',
    access: 'staff',
    staffLevel: 'binding',
    body: z.object({ language: z.enum(languages) }),
    status: 204,
    errors: [],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/staff/sessions',
    summary: 'Lists the person’s own sessions, the current one first.',
    access: 'staff',
    status: 200,
    reply: z.object({ data: z.array(staffSessionRow) }),
    errors: [],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/staff/sessions/:id',
    summary: 'Ends one of the person’s own sessions.',
    access: 'staff',
    params: z.object({ id: z.uuid() }),
    status: 204,
    errors: ['not_found'],
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/staff/sessions',
    summary: 'Ends all of the person’s own sessions but the one that asks.',
    access: 'staff',
    status: 204,
    errors: [],
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/staff/user/password',
    summary: 'Changes the person’s own password, and ends all other sessions.',
    access: 'staff',
    isSignIn: true,
    body: passwordChange,
    status: 204,
    errors: ['too_many_attempts', 'conflict'],
  }),
};
