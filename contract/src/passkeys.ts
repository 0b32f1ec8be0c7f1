import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { phrase } from './phrase.ts';

/** Seconds for which a challenge is valid, and for which a verified passkey counts for the next action. */
export const passkeySeconds = 300;

const base64url = z.string(phrase('validation.passkeyWrong')).regex(/^[\w-]{1,8192}={0,2}$/);

const credentialOf = <R extends z.ZodRawShape>(response: R) =>
  z.object(
    {
      id: base64url,
      rawId: base64url,
      type: z.literal('public-key'),
      response: z.object(response),
      // None are requested, so none are read.
      clientExtensionResults: z.unknown().transform(() => ({})),
      authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
    },
    phrase('validation.passkeyWrong'),
  );

/** An authenticator's response when it creates a passkey (WebAuthn Level 3, RegistrationResponseJSON). */
export const passkeyAttestation = credentialOf({
  clientDataJSON: base64url,
  attestationObject: base64url,
  transports: z.array(z.string().max(32)).max(8).optional(),
});
export type PasskeyAttestation = z.output<typeof passkeyAttestation>;

/** An authenticator's response when it signs with a passkey (AuthenticationResponseJSON). */
export const passkeyAssertion = credentialOf({
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
  userHandle: base64url.optional(),
});
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

const known = z.array(
  z.object({
    id: z.string(),
    type: z.literal('public-key'),
    transports: z.array(z.string()).optional(),
  }),
);
const preference = z.enum(['required', 'preferred', 'discouraged']);

/** The options for requesting a passkey (PublicKeyCredentialRequestOptionsJSON). */
export const passkeyRequest = z.object({
  challenge: z.string(),
  timeout: z.number().optional(),
  rpId: z.string(),
  allowCredentials: known,
  userVerification: preference,
});
export type PasskeyRequest = z.output<typeof passkeyRequest>;

/** The options for creating a passkey (PublicKeyCredentialCreationOptionsJSON). */
export const passkeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number().optional(),
  excludeCredentials: known,
  authenticatorSelection: z.object({ residentKey: preference, userVerification: preference }),
  attestation: z.literal('none'),
});

export type PasskeyCreation = z.output<typeof passkeyCreation>;

/** A passkey as its owner sees it. */
export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});
export type Passkey = z.output<typeof passkey>;

/** The name that a person gives a passkey. */
export const passkeyName = z
  .string(phrase('validation.nameRequired'))
  .trim()
  .min(1, phrase('validation.nameRequired'))
  .max(64, phrase('validation.tooLong'));

/**
 * Passkeys: bound on the security page, verified at sign-in and when an action requires the second factor.
 */
export const passkeyEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/passkeys',
    summary: 'Lists the user’s passkeys, oldest first.',
    access: 'session',
    status: 200,
    reply: z.object({ data: z.array(passkey) }),
    errors: [],
  }),
  bindOptions: endpoint({
    method: 'POST',
    path: '/api/merchant/passkeys/options',
    summary: 'Returns the WebAuthn options for creating a passkey.',
    access: 'session',
    mode: 'live',
    isPasswordConfirmed: true,
    status: 200,
    reply: z.object({ data: passkeyCreation }),
    errors: ['enrolment_elsewhere'],
  }),
  bind: endpoint({
    method: 'POST',
    path: '/api/merchant/passkeys',
    summary: 'Binds a passkey created with the options returned before.',
    access: 'session',
    mode: 'live',
    isPasswordConfirmed: true,
    body: z.object({
      name: passkeyName,
      credential: passkeyAttestation,
    }),
    status: 201,
    reply: z.literal(''),
    errors: ['conflict', 'quota_reached', 'enrolment_elsewhere'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/merchant/passkeys/:passkey_id',
    summary: 'Removes a passkey.',
    access: 'session',
    mode: 'live',
    isPasswordConfirmed: true,
    params: z.object({ passkey_id: z.uuid() }),
    status: 204,
    errors: ['not_found'],
  }),
  proofOptions: endpoint({
    method: 'POST',
    path: '/api/merchant/passkeys/proof/options',
    summary: 'Returns the WebAuthn options for verifying a passkey before an action.',
    access: 'session',
    status: 200,
    reply: z.object({ data: passkeyRequest }),
    errors: ['not_found'],
  }),
  proof: endpoint({
    method: 'POST',
    path: '/api/merchant/passkeys/proof',
    summary: 'Verifies a passkey; the next call that requires a second factor accepts it instead of a code.',
    access: 'session',
    body: z.object({ credential: passkeyAssertion }),
    status: 204,
    errors: ['too_many_attempts'],
  }),
  challengeOptions: endpoint({
    method: 'POST',
    path: '/api/two-factor-challenge/options',
    summary:
      'Returns the second factors that can complete the current sign-in. Without a sign-in in progress, the reply is that of an authenticator app.',
    access: 'public',
    isSignIn: true,
    status: 200,
    reply: z.object({ data: z.object({ app: z.boolean(), passkey: passkeyRequest.nullable() }) }),
    errors: [],
  }),
};
