import * as z from 'zod';
import { askedAccess } from './access-requests.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { overlapHoursOf } from './overlap-hours.ts';
import { phrase } from './phrase.ts';
import { totpCode } from './totp-code.ts';
import { webUrl } from './web-url.ts';

/** Hours for which the previous key may stay valid beside a new one, on the page of the single key. */
export const keyOverlapHours = [0, 1, 24] as const;

const code = totpCode('validation.captchaLength');

export const accessKey = z.object({
  keyId: z.string(),
  createdAt: instant,
  isEnabled: z.boolean(),
  note: z.string().nullable(),
  /** Receives the callbacks of orders that have no callback URL of their own. */
  callbackUrl: z.string().nullable(),
  /** Differs for another key, and for other settings. */
  version: z.string(),
  /** Older keys that are still valid, each until it expires. */
  older: z.array(z.object({ keyId: z.string(), endsAt: instant })),
});
export type AccessKey = z.output<typeof accessKey>;

/** A key with its secret. */
export const shownKey = z.object({ keyId: z.string(), secret: z.string() });

/** A checkbox in a form, which sends nothing when unticked. */
const ticked = z
  .union([z.boolean(), z.literal('on')])
  .optional()
  .transform((value) => value === true || value === 'on');

/**
 * The access key of a merchant's system. Reading its secret takes a confirmed password and a second factor.
 */
export const accessKeyEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/access-key',
    summary:
      'Returns the merchant’s first access key without its secret; null if there is no key yet. `access-keys` lists all of them.',
    access: 'session',
    perm: 'access.read',
    status: 200,
    reply: z.object({ data: accessKey.nullable() }),
    errors: [],
  }),
  secret: endpoint({
    method: 'GET',
    path: '/api/merchant/access-key/secret',
    summary: 'Returns the secret. Requires a `code`, or a passkey verified just before.',
    access: 'session',
    perm: 'access.manage',
    level: 'secondFactor',
    isPasswordConfirmed: true,
    query: z.strictObject({ code }),
    status: 200,
    reply: z.object({ data: shownKey }),
    errors: ['not_found', 'too_many_attempts'],
  }),
  regenerate: endpoint({
    method: 'PUT',
    path: '/api/merchant/access-key/regenerate',
    summary:
      'Generates a new key and secret; the previous key stays valid for `overlapHours` (0, 1 or 24). Requires a `code`, or a passkey verified just before. If a rule asks for approval, returns the number of the request; the key is generated once it is approved.',
    access: 'session',
    perm: 'access.manage',
    level: 'secondFactor',
    isPasswordConfirmed: true,
    body: z.object({
      overlapHours: overlapHoursOf(keyOverlapHours),
      code,
    }),
    status: 200,
    reply: z.union([z.object({ data: shownKey }), askedAccess]),
    errors: ['conflict', 'request_waiting', 'quota_reached', 'too_many_attempts'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/merchant/access-key/update',
    summary:
      'Changes the callback URL and the note, and enables or disables the key. Another callback URL requires a `code`, or a passkey verified just before. If a rule asks for approval, a new callback URL and enabling the key wait, and the number of the request is returned.',
    access: 'session',
    perm: 'access.manage',
    isPasswordConfirmed: true,
    body: z.object({
      callbackUrl: z.union([z.literal('').transform(() => undefined), webUrl]).optional(),
      note: z
        .string()
        .trim()
        .max(255, phrase('validation.tooLong'))
        .transform((text) => text || undefined)
        .optional(),
      isEnabled: ticked,
      /** The version of the settings that the person has changed: the call is refused if they have changed since. */
      version: z.string().max(64).optional(),
      code,
    }),
    status: 200,
    reply: z.union([z.literal(''), askedAccess]),
    errors: ['not_found', 'conflict', 'request_waiting', 'too_many_attempts'],
  }),
  endOlder: endpoint({
    method: 'DELETE',
    path: '/api/merchant/access-key/older',
    summary: 'Ends the older keys that are still valid, at once. Needs no approval.',
    access: 'session',
    perm: 'access.manage',
    isPasswordConfirmed: true,
    status: 204,
    errors: [],
  }),
};
