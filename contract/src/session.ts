import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { languages } from './languages.ts';
import { merchantModes } from './merchant-mode.ts';
import { currency } from './money.ts';
import { perms } from './permissions.ts';
import { phrase } from './phrase.ts';
import { roleCode } from './role-codes.ts';

/** An email address: trimmed, normalized, lower-cased. */
export const emailAddress = z
  .string(phrase('validation.emailRequired'))
  .trim()
  .min(1, phrase('validation.emailRequired'))
  .max(255, phrase('validation.email'))
  .pipe(z.email(phrase('validation.email')))
  .transform((email) => email.normalize('NFKC').toLowerCase());

/** Sign-in form. The password is used verbatim. */
export const credentials = z.object({
  email: emailAddress,
  password: z
    .string(phrase('validation.signInPasswordRequired'))
    .min(1, phrase('validation.signInPasswordRequired'))
    .max(256),
  remember: z.union([z.boolean(), z.enum(['true', 'false', '1', '0', 'on', ''])]).optional(),
  _token: z.string().optional(),
  /** Issued by the service's staff to the owner of a locked account. */
  unlock_code: z
    .string()
    .trim()
    .max(64)
    .transform((text) => text || undefined)
    .optional(),
});

/** The signed-in person and the person's permissions. */
export const currentUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(roleCode).min(1),
  perms: z.array(z.enum(perms)),
  /** Whether a second factor is on; `required` if one must be bound before anything else opens. */
  twoFactor: z.enum(['on', 'off', 'required']),
  /** The second factors that are bound. */
  factors: z.array(z.enum(['app', 'passkey'])),
  /** IANA zone for times: the user's own, or the merchant's. */
  zone: z.string(),
  /** The language that the user chose, if any. */
  language: z.enum(languages).nullable(),
  merchant: z.object({
    code: z.string(),
    name: z.string(),
    currency,
    zone: z.string(),
    mode: z.enum(merchantModes),
  }),
  /** Whether the person works for other merchants, too. */
  hasOtherMerchants: z.boolean(),
});
export type CurrentUser = z.output<typeof currentUser>;

export const sessionEndpoints = {
  csrfCookie: endpoint({
    method: 'GET',
    path: '/api/csrf-cookie',
    summary: 'Sets the session cookie and the XSRF-TOKEN cookie.',
    access: 'public',
    status: 204,
    errors: [],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/login',
    summary:
      'Signs in with email and password. `two_factor: true` means that the two-factor challenge must follow.',
    access: 'public',
    isSignIn: true,
    body: credentials,
    status: 200,
    reply: z.object({ two_factor: z.boolean() }),
    errors: ['already_signed_in', 'too_many_attempts'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/logout',
    summary: 'Ends the session.',
    access: 'session',
    level: 'password',
    status: 204,
    errors: [],
  }),
  user: endpoint({
    method: 'GET',
    path: '/api/merchant/user',
    summary: 'Returns the signed-in user with roles, permissions and merchant.',
    access: 'session',
    level: 'bound',
    status: 200,
    reply: z.object({ data: currentUser }),
    errors: [],
  }),
};
