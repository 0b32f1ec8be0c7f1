import * as z from 'zod';
import { askedAccess } from './access-requests.ts';
import { callbackCheck } from './callback-checks.ts';
import { collectionEvents } from './collections.open.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { overlapHoursOf } from './overlap-hours.ts';
import { payoutEvents } from './payouts.open.ts';
import { phrase } from './phrase.ts';
import { refundEvents } from './refunds.open.ts';
import { totpCode } from './totp-code.ts';
import { visibleText } from './visible-text.ts';
import { webUrl } from './web-url.ts';

/** The events that callbacks report. */
export const callbackEvents = [...collectionEvents, ...refundEvents, ...payoutEvents] as const;
export type CallbackEvent = (typeof callbackEvents)[number];

/**
 * States of an endpoint. Messages for one that is paused wait; we pause one (`autoPaused`) that has failed for three days. For one that is
 * off, no messages are made, and earlier ones wait.
 */
export const endpointStates = ['on', 'paused', 'autoPaused', 'off'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** Days without a success after which a failing endpoint is paused. */
export const failingDays = 3;
/** Hours for which the previous secret of an endpoint may sign beside the new one. */
export const secretOverlapHours = [0, 1, 24] as const;
/** Waiting messages are counted up to here. */
export const maxCountedWaiting = 10_000;

export const callbackEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  /** The events that it receives; null for all. */
  events: z.array(z.string()).nullable(),
  state: z.enum(endpointStates),
  /** The first failure since the last success. */
  failingSince: instant.nullable(),
  /** Messages that wait until it is on again; at most {@link maxCountedWaiting}. */
  waiting: z.number().int(),
  /** Until when the previous secret signs beside the new one. */
  previousEndsAt: instant.nullable(),
  createdAt: instant,
  check: callbackCheck.nullable(),
});
export type CallbackEndpoint = z.output<typeof callbackEndpoint>;

/** Address, description and events of an endpoint. Without `events` it receives all of them, also those that we add later. */
const endpointInput = z.strictObject({
  url: webUrl,
  description: visibleText(undefined, 80)
    .transform((text) => text || null)
    .default(null),
  events: z
    .array(z.enum(callbackEvents))
    .min(1, phrase('validation.choice'))
    .max(callbackEvents.length)
    .transform((events) => callbackEvents.filter((event) => events.includes(event)))
    .nullable()
    .default(null),
});
export type EndpointInput = z.output<typeof endpointInput>;

const code = totpCode('validation.captchaLength');
/** With a second factor: a code of the authenticator app, or a passkey verified just before. */
const proven = { level: 'secondFactor', isPasswordConfirmed: true } as const;
const oneEndpoint = z.object({ endpoint_id: z.string().regex(/^\d{1,18}$/) });
const shownSecret = z.object({ secret: z.string() });

/**
 * The endpoints of a merchant. As with access keys, a confirmed password and a second factor are needed to show secrets, and to choose
 * where data goes.
 */
export const callbackEndpointEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/callback-endpoints',
    summary: 'Returns the callback endpoints of the merchant with their last checks.',
    access: 'session',
    perm: 'callbacks.read',
    status: 200,
    reply: z.object({ data: z.array(callbackEndpoint) }),
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/merchant/callback-endpoints',
    summary:
      'Adds a callback endpoint, which receives messages at once. Requires a `code`, or a passkey verified just before. If a rule asks for approval, returns the number of the request, and the endpoint is added once it is approved.',
    access: 'session',
    perm: 'callbacks.manage',
    ...proven,
    body: endpointInput.extend({ code }),
    status: 200,
    reply: z.union([z.object({ data: callbackEndpoint }), askedAccess]),
    errors: ['request_waiting', 'quota_reached', 'too_many_attempts'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/merchant/callback-endpoints/:endpoint_id',
    summary:
      'Changes an endpoint; messages that wait go to the new address. Requires a `code`, or a passkey verified just before. If a rule asks for approval, a change of the address or of the events waits as a whole, and the number of the request is returned.',
    access: 'session',
    perm: 'callbacks.manage',
    ...proven,
    params: oneEndpoint,
    body: endpointInput.extend({ code }),
    status: 200,
    reply: z.union([z.object({ data: callbackEndpoint }), askedAccess]),
    errors: ['not_found', 'conflict', 'request_waiting', 'too_many_attempts'],
  }),
  turn: endpoint({
    method: 'PUT',
    path: '/api/merchant/callback-endpoints/:endpoint_id/state',
    summary:
      'Pauses an endpoint, turns it off, or on again. Messages that have waited are then sent little by little, oldest first.',
    access: 'session',
    perm: 'callbacks.manage',
    isPasswordConfirmed: true,
    params: oneEndpoint,
    body: z.strictObject({ state: z.enum(['on', 'paused', 'off']) }),
    status: 200,
    reply: z.object({ data: callbackEndpoint }),
    errors: ['not_found'],
  }),
  skipWaiting: endpoint({
    method: 'POST',
    path: '/api/merchant/callback-endpoints/:endpoint_id/skip-waiting',
    summary: 'Gives up the messages that wait for an endpoint, up to 10,000 at once. Returns how many.',
    access: 'session',
    perm: 'callbacks.manage',
    isPasswordConfirmed: true,
    params: oneEndpoint,
    status: 200,
    reply: z.object({ data: z.object({ skipped: z.number().int() }) }),
    errors: ['not_found'],
  }),
  secret: endpoint({
    method: 'GET',
    path: '/api/merchant/callback-endpoints/:endpoint_id/secret',
    summary: 'Returns the secret that signs. Requires a `code`, or a passkey verified just before.',
    access: 'session',
    perm: 'callbacks.manage',
    ...proven,
    params: oneEndpoint,
    query: z.strictObject({ code }),
    status: 200,
    reply: z.object({ data: shownSecret }),
    errors: ['not_found', 'too_many_attempts'],
  }),
  rotate: endpoint({
    method: 'PUT',
    path: '/api/merchant/callback-endpoints/:endpoint_id/secret',
    summary:
      'Makes a new secret; the previous one signs beside it for `overlapHours` (0, 1 or 24). Until the previous one has ended, only 0 makes another, and ends both at once. Requires a `code`, or a passkey verified just before.',
    access: 'session',
    perm: 'callbacks.manage',
    ...proven,
    params: oneEndpoint,
    body: z.object({
      overlapHours: overlapHoursOf(secretOverlapHours),
      code,
    }),
    status: 200,
    reply: z.object({ data: shownSecret }),
    errors: ['not_found', 'conflict', 'too_many_attempts'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/merchant/callback-endpoints/:endpoint_id',
    summary: 'Removes an endpoint, and gives up its messages that were not delivered. Its secret is deleted.',
    access: 'session',
    perm: 'callbacks.manage',
    isPasswordConfirmed: true,
    params: oneEndpoint,
    status: 204,
    errors: ['not_found'],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/merchant/callback-endpoints/:endpoint_id/check',
    summary:
      'Starts a check of an endpoint: sends it a test event, signed rightly, then one signed wrongly, and finds out what is wrong. The steps appear in the list of endpoints as they are done.',
    access: 'session',
    perm: 'callbacks.manage',
    params: oneEndpoint,
    status: 200,
    reply: z.object({ data: callbackCheck }),
    errors: ['not_found', 'check_in_progress', 'too_many_attempts'],
  }),
};
