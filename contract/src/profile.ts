import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { languages } from './languages.ts';
import { instant } from './lists.ts';
import { phrase } from './phrase.ts';
import { emailAddress } from './session.ts';
import { visibleText } from './visible-text.ts';

/** Shortest and longest login password, in characters. */
export const passwordLength = { min: 8, max: 256 } as const;
/** Seconds for which a confirmed password is valid. */
export const passwordConfirmedSeconds = 900;

const nothing = z.literal('');
const secretText = (missing: Parameters<typeof phrase>[0]) =>
  z.string(phrase(missing)).min(1, phrase(missing)).max(1024, phrase('validation.tooLong'));

/**
 * Names of zones: an area and a place, or UTC. ICU also accepts abbreviations, some of which PostgreSQL does not know (`AET`)
 * or takes for another zone (`IST`).
 */
const zoneName = /^(?:UTC|GMT|[A-Z][\w+-]*(?:\/[\w+-]+)+)$/i;
/** Names that ICU still accepts although the IANA database, and with it PostgreSQL, has dropped them. */
const droppedZone = /^(?:SystemV\/.*|US\/Pacific-New|Canada\/East-Saskatchewan)$/i;

/** Whether a name is an IANA zone that this machine knows, under its current or an earlier name. */
export function isZone(name: string): boolean {
  if (!zoneName.test(name) || droppedZone.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== undefined;
  } catch {
    return false;
  }
}

/** A person's name. */
export const personName = visibleText('validation.nameRequired', 255);

export const profile = z.object({
  name: personName,
  email: emailAddress,
  /** Empty: the merchant's zone. Absent: unchanged. */
  zone: z
    .string()
    .refine((zone) => zone === '' || isZone(zone), phrase('validation.choice'))
    .transform((zone) => zone || null)
    .optional(),
  /** Empty: the language that was chosen in the browser, else the default one. Absent: unchanged. */
  language: z
    .enum([...languages, ''], phrase('validation.choice'))
    .transform((language) => language || null)
    .optional(),
});
export type Profile = z.output<typeof profile>;

/** A login password as typed; {@link checkNewPassword} says whether it may be a new one. */
export const newPassword = secretText('validation.newPasswordRequired');

/** Adds the faults of a new login password that is typed twice. */
export function checkNewPassword(
  { password, password_confirmation }: { password: string; password_confirmation?: string | undefined },
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  const fault = (key: Parameters<typeof phrase>[0], path = 'password') =>
    context.addIssue({ code: 'custom', path: [path], message: phrase(key) });
  const length = [...password].length;
  // That it is missing is said already.
  if (length === 0) return;
  if (length < passwordLength.min) fault('validation.passwordShort');
  else if (length > passwordLength.max) fault('validation.tooLong');
  else if (!password_confirmation) fault('validation.confirmationRequired', 'password_confirmation');
  else if (password !== password_confirmation) fault('validation.passwordMismatch');
}

/** A change of the login password; the new one is typed twice. */
export const passwordChange = z
  .object({
    current_password: secretText('validation.currentPasswordRequired'),
    password: newPassword,
    password_confirmation: z.string().optional(),
  })
  .superRefine(checkNewPassword);
export type PasswordChange = z.output<typeof passwordChange>;

/** One session of the user. */
export const openSession = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: instant,
  lastSeenAt: instant,
});

/** The actions that a user's security log shows. */
export const securityActions = [
  'session_sign_in',
  'session_switch',
  'session_end',
  'session_end_others',
  'profile_update',
  'email_change',
  'password_change',
  'password_confirm',
  'two_factor_enable',
  'two_factor_on',
  'two_factor_off',
  'two_factor_codes_renewed',
  'passkey_add',
  'passkey_remove',
  'session_lock',
  'user_unlock',
  'user_unlock_code',
  'user_reset_password',
  'user_reset_two_factor',
  'user_sign_out',
  'user_enrolment_code',
  'user_suspend',
  'user_reactivate',
  'payment_password_set',
  'access_key_reveal',
  'access_key_regenerate',
  'access_key_update',
  'ip_address_set',
] as const;

export type SecurityAction = (typeof securityActions)[number];

/** One entry of the user's security log. */
export const securityEvent = z.object({
  at: instant,
  action: z.enum(securityActions),
  address: z.string().nullable(),
});
export type SecurityEvent = z.output<typeof securityEvent>;

/** The signed-in user's own data and access. */
export const profileEndpoints = {
  update: endpoint({
    method: 'PUT',
    path: '/api/user/profile-information',
    summary:
      'Changes name, email, time zone and language. Another email needs the login password confirmed and ends all other sessions of the user; in test mode the email stays as it is.',
    access: 'session',
    body: profile,
    status: 200,
    reply: nothing,
    errors: ['live_mode_only', 'password_confirmation_required'],
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/user/password',
    summary:
      'Changes the login password and ends all other sessions of the user. Fields may also be sent in the query.',
    access: 'session',
    mode: 'live',
    isSignIn: true,
    isQueryTakenAsBody: true,
    body: passwordChange,
    status: 200,
    reply: nothing,
    errors: ['too_many_attempts'],
  }),
  confirmPassword: endpoint({
    method: 'POST',
    path: '/api/user/confirm-password',
    summary: 'Confirms the login password: sensitive calls are allowed for 900 seconds.',
    access: 'session',
    isSignIn: true,
    body: z.object({ password: secretText('validation.passwordRequired') }),
    status: 201,
    reply: nothing,
    errors: ['too_many_attempts'],
  }),
  confirmedStatus: endpoint({
    method: 'GET',
    path: '/api/user/confirmed-password-status',
    summary:
      'Returns whether the password was confirmed in the last `seconds` (900 by default); X-Retry-After gives the seconds since.',
    access: 'session',
    query: z.object({
      seconds: z
        .string()
        .regex(/^\d{1,6}$/, phrase('validation.invalid'))
        .transform(Number)
        .optional(),
    }),
    status: 200,
    reply: z.object({ confirmed: z.boolean() }),
    errors: [],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/merchant/sessions',
    summary: 'Lists the user’s signed-in devices, last seen first.',
    access: 'session',
    status: 200,
    reply: z.object({ data: z.array(openSession) }),
    errors: [],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/merchant/sessions/:session_id',
    summary: 'Signs the user out on another device.',
    access: 'session',
    isPasswordConfirmed: true,
    params: z.object({ session_id: z.string().regex(/^[\w-]{16,64}$/) }),
    status: 204,
    errors: ['not_found'],
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/merchant/sessions',
    summary: 'Signs the user out on all other devices.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 204,
    errors: [],
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/merchant/security-events',
    summary: 'Lists up to 50 recent security events of the user, newest first.',
    access: 'session',
    status: 200,
    reply: z.object({ data: z.array(securityEvent) }),
    errors: [],
  }),
};
