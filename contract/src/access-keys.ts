import * as z from 'zod';
import { shownKey } from './access-key.ts';
import { askedAccess } from './access-requests.ts';
import { endpoint } from './endpoint.ts';
import { type KeyScope, keyScopes } from './key-scopes.ts';
import { instant } from './lists.ts';
import { phrase } from './phrase.ts';
import { totpCode } from './totp-code.ts';
import { visibleText } from './visible-text.ts';
import { webUrl } from './web-url.ts';

/** Hours for which a key may stay valid beside its successor. */
export const successorOverlapHours = [0, 1, 24, 168] as const;

/** Longest name of a key. */
export const maxKeyName = 60;
/** Most lines of a key's own list of addresses, and its most characters. */
export const maxKeyIpLines = 50;
const maxListLength = 5000;
/** The latest expiry of a key, from now. */
export const maxKeyYears = 10;
/** The most keys that are listed: all live ones, then the last ones that ended. */
export const maxListedKeys = 100;
/** Days for which keys that have ended are listed. */
export const endedKeyDays = 90;

/** States of a key. `off`: disabled, and can be enabled again. `ended`: expired, by itself or after it was replaced. */
export const keyStates = ['active', 'off', 'ended', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

export const accessKeyRow = z.object({
  keyId: z.string(),
  /** Null for a key without a name, such as those of the single page. */
  name: z.string().nullable(),
  state: z.enum(keyStates),
  /** The key that the page of the single key shows. */
  isFirst: z.boolean(),
  scopes: z.array(z.enum(keyScopes)),
  /** Addresses that the key may be used from, within the merchant's whitelist; null if it has no list of its own. */
  addresses: z.array(z.string()).nullable(),
  callbackUrl: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: instant,
  /** When it ends, or ended; null if it does not. */
  endsAt: instant.nullable(),
  /** The key that has replaced it. */
  successor: z.string().nullable(),
  /** Differs for other settings. */
  version: z.string(),
  /** The last call that was admitted; it can be a minute late. */
  lastUse: z.object({ at: instant, address: z.string(), call: z.string() }).nullable(),
});
export type AccessKeyRow = z.output<typeof accessKeyRow>;

const byId = z.object({ key_id: z.string().max(80) });
const code = totpCode('validation.captchaLength');

const scopes = z
  .array(z.enum(keyScopes, phrase('validation.keyScope')), phrase('validation.keyScopesRequired'))
  .min(1, phrase('validation.keyScopesRequired'))
  .max(keyScopes.length, phrase('validation.keyScope'))
  .transform((chosen): KeyScope[] => keyScopes.filter((scope) => chosen.includes(scope)));

/** The name and the limits of a key. */
const settings = {
  name: visibleText('validation.keyName', maxKeyName),
  scopes,
  /** One address or CIDR block per line; an empty text for no list of its own. */
  addresses: z.string().max(maxListLength, phrase('validation.tooLong')).default(''),
  expiresAt: instant.nullable().default(null),
  callbackUrl: z.literal('').or(webUrl).default(''),
};

const overlapHours = z
  .number(phrase('validation.choice'))
  .refine((hours) => successorOverlapHours.some((known) => known === hours), phrase('validation.choice'));

/** A body with a second factor: a code of the authenticator app, or a passkey verified just before. */
const proven = { level: 'secondFactor', isPasswordConfirmed: true } as const;
const managing = { access: 'session', perm: 'access.manage' } as const;
const made = z.union([z.object({ data: shownKey }), askedAccess]);
const changed = z.union([z.literal(''), askedAccess]);

/** All access keys of a merchant's systems. */
export const accessKeysEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/access-keys',
    summary:
      'Lists the merchant’s access keys without their secrets: live ones first, and those that ended within the past 90 days.',
    access: 'session',
    perm: 'access.read',
    status: 200,
    reply: z.object({ data: z.array(accessKeyRow) }),
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/merchant/access-keys',
    summary:
      'Creates a key beside the others, and returns its secret. Requires a `code`, or a passkey verified just before. If a rule asks for approval, returns the number of the request.',
    ...managing,
    ...proven,
    body: z.strictObject({ ...settings, code }),
    status: 201,
    reply: made,
    errors: ['conflict', 'request_waiting', 'quota_reached', 'too_many_attempts'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/merchant/access-keys/:key_id',
    summary:
      'Changes a key. Requires a `code`, or a passkey verified just before. If a rule asks for approval, what allows more waits, the rest applies at once, and the number of the request is returned.',
    ...managing,
    ...proven,
    params: byId,
    body: z.strictObject({
      ...settings,
      /** The version of the settings that the person has changed: the call is refused if they have changed since. */
      version: z.string().max(64).optional(),
      code,
    }),
    status: 200,
    reply: changed,
    errors: ['not_found', 'conflict', 'request_waiting', 'too_many_attempts'],
  }),
  turn: endpoint({
    method: 'PUT',
    path: '/api/merchant/access-keys/:key_id/is-on',
    summary:
      'Enables or disables a key. Disabling works at once; if a rule asks for approval, enabling waits, and the number of the request is returned.',
    ...managing,
    isPasswordConfirmed: true,
    params: byId,
    body: z.strictObject({ isOn: z.boolean() }),
    status: 200,
    reply: changed,
    errors: ['not_found', 'conflict', 'request_waiting'],
  }),
  secret: endpoint({
    method: 'GET',
    path: '/api/merchant/access-keys/:key_id/secret',
    summary: 'Returns the secret of a live key. Requires a `code`, or a passkey verified just before.',
    ...managing,
    ...proven,
    params: byId,
    query: z.strictObject({ code }),
    status: 200,
    reply: z.object({ data: shownKey }),
    errors: ['not_found', 'too_many_attempts'],
  }),
  succeed: endpoint({
    method: 'POST',
    path: '/api/merchant/access-keys/:key_id/successor',
    summary:
      'Creates a key with the same name, scopes, addresses and callback URL; the one before stays valid for `overlapHours` (0, 1, 24 or 168). Requires a `code`, or a passkey verified just before. If a rule asks for approval, returns the number of the request.',
    ...managing,
    ...proven,
    params: byId,
    body: z.strictObject({ overlapHours, expiresAt: instant.nullable().default(null), code }),
    status: 201,
    reply: made,
    errors: ['not_found', 'conflict', 'request_waiting', 'quota_reached', 'too_many_attempts'],
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/merchant/access-keys/:key_id',
    summary: 'Ends a key at once and permanently. Needs no approval.',
    ...managing,
    isPasswordConfirmed: true,
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
};
