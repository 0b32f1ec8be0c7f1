import * as z from 'zod';
import { askedAccess } from './access-requests.ts';
import { endpoint } from './endpoint.ts';
import { phrase } from './phrase.ts';

/** Maximum lines of a whitelist, not counting empty ones. */
export const maxIpLines = 200;

/** Maximum characters of a list, including blanks; a line break is two bytes of JSON. */
const maxListLength = 20_000;
/** One address or CIDR block per line; empty lines are ignored. */
const ipLines = z.object({
  addresses: z
    .string(phrase('validation.ipRequired'))
    .max(maxListLength, phrase('validation.tooLong'))
    .refine((text) => text.trim() !== '', phrase('validation.ipRequired')),
});

/**
 * A new list, which must not be empty. One that allows a large part of the internet (0.0.0.0/0) is refused unless
 * `confirmOpen` is true; one that blocks every caller of the last seven days, unless `confirmClosed` is.
 */
const setIpLines = ipLines.extend({
  confirmOpen: z.boolean().optional(),
  confirmClosed: z.boolean().optional(),
  /** The version of the list that the person has changed: the call is refused if it has changed since. */
  version: z.string().max(64).optional(),
});

/** The effect of a list on the caller's own address, and on the calls of the last seven days. */
export const ipPreview = z.object({
  yours: z.object({ address: z.string(), isAllowed: z.boolean() }),
  calls: z.array(z.object({ address: z.string(), count: z.number().int(), isAllowed: z.boolean() })),
});
export type IpPreview = z.output<typeof ipPreview>;

/** The addresses that a merchant's system may call from. */
export const ipAddressEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/ip-address',
    summary: 'Returns the IP whitelist; if it is empty, every signed request is blocked.',
    access: 'session',
    perm: 'access.read',
    status: 200,
    reply: z.object({
      data: z.object({
        addresses: z.array(z.string()),
        /** Differs for another list. */
        version: z.string(),
      }),
    }),
    errors: [],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/merchant/ip-address/preview',
    summary:
      'Previews a whitelist against the API calls of the last 7 days and the caller’s current address. Changes nothing.',
    access: 'session',
    perm: 'access.read',
    bodyLimitBytes: 3 * maxListLength,
    textLimitLength: maxListLength,
    body: ipLines,
    status: 200,
    reply: z.object({ data: ipPreview }),
    errors: [],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/merchant/ip-address',
    summary:
      'Replaces the IP whitelist: one IP address or CIDR block per line, IPv4 or IPv6. If a rule asks for approval, a list that allows more waits, and the number of the request is returned.',
    access: 'session',
    perm: 'access.manage',
    isPasswordConfirmed: true,
    bodyLimitBytes: 3 * maxListLength,
    textLimitLength: maxListLength,
    body: setIpLines,
    status: 200,
    reply: z.union([z.literal(''), askedAccess]),
    errors: ['conflict', 'whitelist_open', 'whitelist_empty', 'whitelist_excludes', 'request_waiting'],
  }),
};
