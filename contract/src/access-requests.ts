import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { keyScopes } from './key-scopes.ts';
import { instant } from './lists.ts';

/**
 * The settings that rules for the access cover: the access key with its callback URL, the IP whitelist, and callback endpoints. Each has one
 * request at a time.
 */
export const accessSettings = ['key', 'whitelist', 'endpoint'] as const;
export type AccessSetting = (typeof accessSettings)[number];

/** The limits of a key: `addresses` is null if it has no list of its own, and `endsAt` if it does not expire. */
const keyLimits = z.object({
  scopes: z.array(z.enum(keyScopes)),
  addresses: z.array(z.string()).nullable(),
  endsAt: instant.nullable(),
});

export type KeyLimits = z.output<typeof keyLimits>;

/** The settings of a key that open something. */
export interface KeySettings extends KeyLimits {
  callbackUrl: string | null;
  isEnabled: boolean;
}

/** The settings of an endpoint that decide where data goes; `events` is null for all. */
const endpointSettings = z.object({ url: z.string(), events: z.array(z.string()).nullable() });

/** Settings in a request. Requests that are older than limits have none. */
const keySettings = keyLimits
  .partial()
  .extend({ callbackUrl: z.string().nullable(), isEnabled: z.boolean() });

/** A key beside the others; a new key instead of one that is there; new settings of a key; another whitelist; or an endpoint, new or changed. */
export const accessSettingChange = z.union([
  keyLimits.extend({
    action: z.literal('addKey'),
    name: z.string(),
    callbackUrl: z.string().nullable(),
  }),
  z.object({
    action: z.literal('newKey'),
    /** The key that it replaces; null if it is the first one. */
    keyId: z.string().nullable(),
    /** Hours for which the previous key stays valid. */
    overlapHours: z.number().int(),
    /** When the new key expires; null if it does not. */
    endsAt: instant.nullable(),
  }),
  z.object({
    action: z.literal('keySettings'),
    keyId: z.string(),
    before: keySettings,
    after: keySettings,
  }),
  z.object({
    action: z.literal('whitelist'),
    added: z.array(z.string()),
    removed: z.array(z.string()),
    /** Whether it allows a large part of the internet. */
    isOpen: z.boolean(),
  }),
  z.object({
    action: z.literal('endpoint'),
    /** Null for a new one. */
    before: endpointSettings.nullable(),
    after: endpointSettings,
  }),
]);
export type AccessSettingChange = z.output<typeof accessSettingChange>;

/** A change that waits for approval, as whoever may see these settings reads it. */
export const accessRequest = z.object({
  request_no: z.string(),
  change: accessSettingChange,
  requestedBy: z.string(),
  createdAt: instant,
  isYours: z.boolean(),
});
export type AccessRequest = z.output<typeof accessRequest>;

/** The reply to a change that waits for approval: the number of its request. */
export const askedAccess = z.object({ data: z.object({ request_no: z.string() }) });

/** Changes of the access key, the whitelist and callback endpoints that wait for approval, for people who may not see other requests. */
export const accessRequestEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/access-requests',
    summary:
      'Returns the changes of the access key, the whitelist and callback endpoints that wait for approval, and whether a rule asks for it.',
    access: 'session',
    perm: 'access.read',
    status: 200,
    reply: z.object({
      data: z.object({ needsApproval: z.boolean(), waiting: z.array(accessRequest) }),
    }),
    errors: [],
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/merchant/access-requests/:request_no',
    summary: 'Withdraws the caller’s own request for such a change.',
    access: 'session',
    perm: 'access.manage',
    params: z.object({ request_no: z.string().max(64) }),
    status: 204,
    errors: ['not_found', 'invalid_transition', 'forbidden'],
  }),
};
