import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { passkeyAssertion } from './passkeys.ts';

/** Digits of a code from an authenticator app. */
export const totpDigits = 6;

/** Text as people type it: trimmed, and absent where nothing is left. */
const typed = z
  .string()
  .trim()
  .max(64)
  .transform((text) => text || undefined)
  .optional();

const codeBody = z.object({ code: typed });
const nothing = z.literal('');

/**
 * The second step of signing in, and everything about the second factor, as Fortify speaks of it. The management calls
 * need the password confirmed in this session.
 */
export const twoFactorEndpoints = {
  challenge: endpoint({
    method: 'POST',
    path: '/api/two-factor-challenge',
    summary: 'Finishes a sign-in by a code, a passkey, or a recovery code, which is used up.',
    access: 'public',
    body: z.object({ code: typed, recovery_code: typed, passkey: passkeyAssertion.optional() }),
    status: 204,
    errors: ['too_many_attempts'],
  }),
  enable: endpoint({
    method: 'POST',
    path: '/api/user/two-factor-authentication',
    summary: 'Makes a secret and eight recovery codes, unless there are any; `force` makes new ones.',
    access: 'session',
    isPasswordConfirmed: true,
    body: z.object({ force: z.boolean().optional() }),
    status: 200,
    reply: nothing,
    errors: [],
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/user/confirmed-two-factor-authentication',
    summary: 'Turns the second factor on, by a first code.',
    access: 'session',
    isPasswordConfirmed: true,
    body: codeBody,
    status: 200,
    reply: nothing,
    errors: ['too_many_attempts'],
  }),
  disable: endpoint({
    method: 'DELETE',
    path: '/api/user/two-factor-authentication',
    summary: 'Turns the second factor off and forgets secret and codes.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: nothing,
    errors: [],
  }),
  qrCode: endpoint({
    method: 'GET',
    path: '/api/user/two-factor-qr-code',
    summary: 'The secret as a QR code for an authenticator app; `[]` where there is none.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: z.union([z.object({ svg: z.string(), url: z.string() }), z.array(z.never())]),
    errors: [],
  }),
  secretKey: endpoint({
    method: 'GET',
    path: '/api/user/two-factor-secret-key',
    summary: 'The secret as text, Base32.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: z.object({ secretKey: z.string() }),
    errors: ['not_found'],
  }),
  recoveryCodes: endpoint({
    method: 'GET',
    path: '/api/user/two-factor-recovery-codes',
    summary: 'The eight recovery codes; `[]` where there are none.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: z.array(z.string()),
    errors: [],
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/user/two-factor-recovery-codes',
    summary: 'Replaces the recovery codes by eight new ones.',
    access: 'session',
    isPasswordConfirmed: true,
    status: 200,
    reply: nothing,
    errors: ['not_found'],
  }),
  firstSecretKey: endpoint({
    method: 'GET',
    path: '/api/merchant/two-factor-secret-key',
    summary:
      'First binding, for who must have a second factor: the secret and its QR code, made where there is none.',
    access: 'session',
    isBeforeTwoFactor: true,
    status: 200,
    reply: z.object({ secretKey: z.string(), svg: z.string(), url: z.string() }),
    errors: ['conflict'],
  }),
  firstConfirm: endpoint({
    method: 'POST',
    path: '/api/merchant/confirmed-two-factor-authentication',
    summary: 'First binding: turns the second factor on, by a first code, and answers the recovery codes.',
    access: 'session',
    isBeforeTwoFactor: true,
    body: codeBody,
    status: 200,
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['conflict', 'too_many_attempts'],
  }),
};
