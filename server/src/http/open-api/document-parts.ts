import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { ErrorCode } from '@hengfu/contract/errors';
import { idempotencyHeader, replayedHeader } from '@hengfu/contract/idempotency';
import { apiVersions, idempotencyKey, versionHeader } from '@hengfu/contract/open-api';

/** Codes that a signed call may return because of its headers, its caller or the service, whatever it does. */
export const signedErrors: readonly ErrorCode[] = [
  'signature_missing',
  'signature_invalid',
  'signature_expired',
  'nonce_replayed',
  'key_disabled',
  'key_expired',
  'address_not_allowed',
  'key_address_not_allowed',
  'key_scope',
  'merchant_suspended',
  'unknown_version',
  'validation_failed',
  'too_many_requests',
  'internal',
  'unavailable',
];

/** Codes that a signed call which writes may return because of its `Idempotency-Key`. */
export const repeatErrors: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reused'];

/** The headers that signed calls accept beside those of their signature. */
export function signedParameters({ method }: EndpointShape): object[] {
  const version = {
    name: versionHeader,
    in: 'header',
    required: false,
    description: 'The version that the call is written for; the oldest one by default',
    schema: { type: 'string', enum: apiVersions.map(({ name }) => name) },
  };
  const key = {
    name: idempotencyHeader,
    in: 'header',
    required: false,
    description: 'A repeated call with the same key and input gets the first reply and does nothing',
    schema: { type: 'string', pattern: idempotencyKey.source },
  };
  return method === 'GET' ? [version] : [version, key];
}

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** The headers of replies to signed calls, as components. */
export const signedHeaders = {
  [versionHeader]: text('The version that answered'),
  'RateLimit-Policy': text('The limit that the call counts toward: its quota, and its window in seconds'),
  RateLimit: text('The calls that are left, and the seconds until all of the quota is'),
  [replayedHeader]: text('`true` if this is the reply to an earlier call with the same Idempotency-Key'),
};

/** References to these headers, for one reply. */
export function headersOf({ method }: EndpointShape): object {
  const names = Object.keys(signedHeaders).filter((name) => method !== 'GET' || name !== replayedHeader);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Says what a document describes, and whom to ask. */
export function infoOf(isSigned: boolean): object {
  const description = isSigned
    ? 'Calls of merchants’ systems, signed with an access key. `/docs/open-api` explains them.'
    : 'Calls of our own pages. They change without notice: build on the Open API.';
  return { description, contact: { name: 'Support, on the page “Contact us” of the console' } };
}

/** Says what a caller needs. */
export function needsOf(endpoint: EndpointShape): string {
  const { access, scope, method, perm, staffPerm, isPasswordConfirmed, mode } = endpoint;
  if (scope) return `Needs an access key with the scope \`${scope}\`${method === 'GET' ? ' or `read`' : ''}.`;
  if (access === 'public') return 'Needs no sign-in.';
  const needed = perm ?? staffPerm;
  return [
    needed ? `Needs the permission \`${needed}\`` : 'Needs a sign-in',
    isPasswordConfirmed ? ', and the login password confirmed' : '',
    mode ? `, in ${mode} mode` : '',
    '.',
  ].join('');
}
