import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { passkeyAssertion } from './passkeys.ts';
import { totpCode } from './totp-code.ts';

/** Optional text: trimmed, and undefined if empty. */
const typed = z
  .string()
  .trim()
  .max(64)
  .transform((text) => text || undefined)
  .optional();

const code = totpCode('validation.codeLength');
const codeBody = z.object({ code });
const nothing = z.literal('');

/**
 * The second step of signing in, and the management of second factors, in the format of Laravel Fortify. The
 * management calls need the password confirmed in this session.
 */
export const twoFactorEndpoints = {
  challenge: endpoint({
    method: 'POST',
    path: '/api/two-factor-challenge',
    summary:
      'Completes a sign-in with a code, a passkey or a recovery code. A recovery code works only once.',
    access: 'public',
    isSignIn: true,
    body: z.object({ code, recovery_code: typed, passkey: passkeyAssertion.optional() }),
    status: 204,
    errors: ['too_many_attempts'],
  }),
  enable: endpoint({
    method: 'POST',
    path: '/api/user/two-factor-authentication',
    summary: 'Generates a secret and eight recovery codes if there are none; `force` replaces existing ones.',
    access: 'session',
    mode: 'live',
    isPasswordConfirmed: true,
    body: z.object({ force: z.boolean().optional() }),
    status: 200,
    reply: nothing,
    errors: ['enrolment_elsewhere'],
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/user/confirmed-two-factor-authentication',
    summary: 'Enables two-factor authentication with a first code.',
    access: 'session',
    mode: 'live',
    isPasswordConfirmed: true,
    body: codeBody,
    status: 200,
    reply: nothing,
    errors: ['too_many_attempts', 'enrolment_elsewhere'],
  }),
  disable: endpoint({
    method: 'DELETE',
    path: '/api/user/two-factor-authentication',
    summary: 'Disables two-factor authentication and deletes the secret and the recovery codes.',
    access: 'session',
    mode: 'live',
    isPasswordConfirmed: true,
    status: 200,
    reply: nothing,
    errors: [],
  }),
  qrCode: endpoint({
    method: 'GET',
    path: '/api/user/two-factor-qr-code',
    summary: 'Returns the secret as a QR code for an authenticator app; `[]` if there is none.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: z.union([z.object({ svg: z.string(), url: z.string() }), z.array(z.never())]),
    errors: [],
  }),
  secretKey: endpoint({
    method: 'GET',
    path: '/api/user/two-factor-secret-key',
    summary: 'Returns the secret as Base32 text.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: z.object({ secretKey: z.string() }),
    errors: ['not_found'],
  }),
  recoveryCodes: endpoint({
    method: 'GET',
    path: '/api/user/two-factor-recovery-codes',
    summary: 'Returns the eight recovery codes; `[]` if there are none.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: z.array(z.string()),
    errors: [],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/user/two-factor-recovery-codes',
    summary: 'Replaces the recovery codes with eight new ones.',
    access: 'session',
    mode: 'live',
    isPasswordConfirmed: true,
    status: 200,
    reply: nothing,
    errors: ['not_found'],
  }),
  firstSecretKey: endpoint({
    method: 'GET',
    path: '/api/merchant/two-factor-secret-key',
    summary:
      'Returns a secret and its QR code for this session, for a user who must bind a first second factor, at this merchant or at another.',
    access: 'session',
    level: 'bound',
    status: 200,
    reply: z.object({
      secretKey: z.string(),
      svg: z.string(),
      url: z.string(),
      isEnrolmentCodeNeeded: z.boolean(),
    }),
    errors: ['conflict'],
  }),
  firstConfirm: endpoint({
    method: 'POST',
    path: '/api/merchant/confirmed-two-factor-authentication',
    summary:
      'Binds the first second factor with a first code and the enrollment code issued with the account; ' +
      'returns the recovery codes.',
    access: 'session',
    mode: 'live',
    level: 'bound',
    body: codeBody.extend({ enrolment_code: typed }),
    status: 200,
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['conflict', 'too_many_attempts'],
  }),
};
