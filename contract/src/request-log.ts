import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { keyScopes } from './key-scopes.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore, textFilter } from './lists.ts';

/** Days for which signed calls are kept. */
export const requestLogDays = 30;
/**
 * Refused calls of a key that are kept in an hour; further ones are counted only. Those with a verified signature and those without
 * have this number each: whoever knows no more than the ID of a key cannot use up what its owner's own calls have.
 */
export const refusedPerHour = 1000;
/**
 * Other calls of a key that each web process keeps in an hour, of those that read and of those that change something: far more than a shop makes,
 * so that a runaway program does not fill the disk.
 */
export const admittedPerHour = 100_000;

/** The outcome of a call: done, refused (the caller's doing), or failed (ours). */
export const requestResults = ['done', 'refused', 'failed'] as const;
export type RequestResult = (typeof requestResults)[number];

/** Returns the outcome of a call by its status. */
export function requestResultOf(status: number): RequestResult {
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}

export const requestMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/**
 * A usual mistake that explains a wrong signature: with it, the signature is the right one. `plainBody`: the body is signed
 * instead of its hash.
 */
export const signatureMistakes = [
  'noQuery',
  'emptyBody',
  'plainBody',
  'upperCaseHash',
  'upperCaseSignature',
  'base64Signature',
  'carriageReturns',
  'finalLineBreak',
] as const;
export type SignatureMistake = (typeof signatureMistakes)[number];

/** The explanation of a refused call, for the codes that have one beyond the reply itself. */
export const requestReason = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('signature'),
    /** The lines of the text that was signed here. The nonce is cut, and so is the hash of a body with masked values. */
    signed: z.array(z.string()),
    mistake: z.enum(signatureMistakes).optional(),
  }),
  /** The signature headers that are absent or malformed. */
  z.object({ kind: z.literal('headers'), headers: z.array(z.string()) }),
  /** Seconds by which the caller's clock is behind; negative if it is ahead. */
  z.object({ kind: z.literal('clock'), secondsBehind: z.number().int() }),
  /** The timestamp is not in seconds. */
  z.object({ kind: z.literal('timestamp'), isMilliseconds: z.boolean() }),
  z.object({ kind: z.literal('key'), state: z.enum(['revoked', 'disabled', 'expired']) }),
  z.object({ kind: z.literal('address'), address: z.string() }),
  /** The scope that the key lacks. */
  z.object({ kind: z.literal('scope'), scope: z.enum(keyScopes) }),
  z.object({ kind: z.literal('nonce') }),
  z.object({ kind: z.literal('suspended') }),
  /** The fields that were rejected; the reply says why. */
  z.object({ kind: z.literal('fields'), fields: z.array(z.string()) }),
]);
export type RequestReason = z.output<typeof requestReason>;

export const requestRow = z.object({
  request_id: z.string(),
  at: instant,
  method: z.string(),
  /** Without the query. */
  path: z.string(),
  status: z.number().int(),
  /** The code of the error; null for a call that was done. */
  code: z.string().nullable(),
  durationMs: z.number().int(),
  keyId: z.string(),
  address: z.string().nullable(),
  trade_no: z.string().nullable(),
  out_trade_no: z.string().nullable(),
});
export type RequestRow = z.output<typeof requestRow>;

/** A body as the log keeps it: JSON with masked values. `text` is null if the body was not JSON. */
const loggedBody = z.object({
  bytes: z.number().int(),
  text: z.string().nullable(),
  /** Something was left out because it was too long. */
  isCut: z.boolean(),
});
export type LoggedBody = z.output<typeof loggedBody>;

export const requestDetail = requestRow.extend({
  query: z.string().nullable(),
  /** Absent values: the reply explains the refusal, or the call was done. */
  reason: requestReason.nullable(),
  request: loggedBody,
  response: loggedBody,
});
export type RequestDetail = z.output<typeof requestDetail>;

export const requestLogQuery = listQuery({
  result: oneOrMore(requestResults),
  method: oneOrMore(requestMethods),
  /** Beginning of the path. */
  path: numberFilter,
  code: textFilter,
  keyId: textFilter,
  address: textFilter,
  /** Number of the order: ours or the merchant's own. */
  order_no: textFilter,
  request_id: textFilter,
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type RequestLogQuery = z.output<typeof requestLogQuery>;

export const requestLogEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/requests',
    summary: 'Lists the signed calls of the merchant’s systems of the last 30 days, newest first.',
    access: 'session',
    perm: 'requests.read',
    query: requestLogQuery,
    status: 200,
    reply: listReply(requestRow).extend({
      /** Calls of the same time and key that were counted only. */
      unrecorded: z.number().int(),
    }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/requests/:request_id',
    summary: 'Returns one signed call, with its bodies, in which sensitive values are masked.',
    access: 'session',
    perm: 'requests.read',
    params: z.object({ request_id: z.uuid() }),
    status: 200,
    reply: z.object({ data: requestDetail }),
    errors: ['not_found'],
  }),
};
