import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  passkey,
  passkeyAssertion,
  passkeyAttestation,
  passkeyCreation,
  passkeyName,
  passkeyRequest,
} from '../passkeys.ts';
import { phrase } from '../phrase.ts';

/** Proof of the second factor: a code of the authenticator app, or a passkey that signs the challenge of this session. */
export const staffProof = z.object({
  code: z.string().trim().max(16, phrase('validation.codeWrong')).optional(),
  passkey: passkeyAssertion.optional(),
});
export type StaffProof = z.output<typeof staffProof>;

/** Passkeys of our staff: a second factor beside the authenticator app, at the sign-in and for approvals. */
export const staffPasskeyEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/passkeys',
    summary: 'Lists the person’s own passkeys, oldest first.',
    access: 'staff',
    status: 200,
    reply: z.object({ data: z.array(passkey) }),
    errors: [],
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/staff/passkeys/request',
    summary: 'Returns the WebAuthn options for showing one of the person’s passkeys; null if there is none.',
    access: 'staff',
    staffLevel: 'password',
    status: 200,
    reply: z.object({ data: z.object({ hasApp: z.boolean(), passkey: passkeyRequest.nullable() }) }),
    errors: [],
  }),
  bindOptions: endpoint({
    method: 'POST',
    path: '/api/staff/passkeys/options',
    summary: 'Returns the WebAuthn options for creating a passkey.',
    access: 'staff',
    status: 200,
    reply: z.object({ data: passkeyCreation }),
    errors: [],
  }),
  bind: endpoint({
    method: 'POST',
    path: '/api/staff/passkeys',
    summary:
      'Binds a passkey created with the options returned before, and ends all other sessions. Whoever has a second factor proves it.',
    access: 'staff',
    isSignIn: true,
    body: staffProof.extend({ name: passkeyName, credential: passkeyAttestation }),
    status: 204,
    errors: ['conflict', 'quota_reached', 'too_many_attempts'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/staff/passkeys/:passkey_id/remove',
    summary: 'Removes a passkey, and ends all other sessions. The person proves the second factor.',
    access: 'staff',
    isSignIn: true,
    params: z.object({ passkey_id: z.uuid() }),
    body: staffProof,
    status: 204,
    errors: ['not_found', 'too_many_attempts'],
  }),
};
