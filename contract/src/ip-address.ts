import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { phrase } from './phrase.ts';

/** Lines that a whitelist takes at the most. */
export const mostIpLines = 200;

/** One address or CIDR block a line; empty lines count for nothing. */
const ipLines = z.object({
  addresses: z.string(phrase('validation.ipRequired')).max(20_000, phrase('validation.tooLong')),
});

/** What a list would do: to the caller's own address, and to the calls of the last seven days. */
export const ipPreview = z.object({
  yours: z.object({ address: z.string(), isAllowed: z.boolean() }),
  calls: z.array(z.object({ address: z.string(), count: z.number().int(), isAllowed: z.boolean() })),
});
export type IpPreview = z.output<typeof ipPreview>;

/** The addresses that a merchant's programs may call from. */
export const ipAddressEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/ip-address',
    summary: 'The IP whitelist; an empty one refuses every signed call.',
    access: 'session',
    perm: 'access.read',
    status: 200,
    reply: z.object({ data: z.object({ addresses: z.array(z.string()) }) }),
    errors: [],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/merchant/ip-address/preview',
    summary:
      'What a list would do to the calls of the last seven days, and to the caller’s own address. Changes nothing.',
    access: 'session',
    perm: 'access.read',
    body: ipLines,
    status: 200,
    reply: z.object({ data: ipPreview }),
    errors: [],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/merchant/ip-address',
    summary: 'Replaces the IP whitelist: one address or CIDR block a line, IPv4 and IPv6.',
    access: 'session',
    perm: 'access.manage',
    isPasswordConfirmed: true,
    body: ipLines,
    status: 200,
    reply: z.literal(''),
    errors: [],
  }),
};
