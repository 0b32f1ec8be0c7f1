import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { idempotencyKey } from './open-api.ts';
import { phrase } from './phrase.ts';

/** Signed calls that the console makes within a minute for the test merchants of a live one at most. */
export const testCallsPerMinute = 60;
/** Longest body of such a call, in characters. */
export const maxTestCallBody = 8192;

/**
 * A path of the Open API with its query, as it is sent and signed. Its segments have letters, digits, `_` and `-` only, so that nothing in it
 * leads to another path, however it is decoded. A question mark has a query: an empty one would get lost on the way, and the signature be wrong.
 */
const openPath = z
  .string(phrase('validation.openPath'))
  .max(1000, phrase('validation.tooLong'))
  .regex(/^\/openapi\/v1(\/[\w-]+)+(\?[\w.~%+=&:,-]+)?$/, phrase('validation.openPath'));

/** A signed call as it was sent, and its reply. */
export const testCall = z.object({
  /** The lines of the text that was signed. */
  signed: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
  reply: z.object({
    status: z.number().int(),
    durationMs: z.number().int(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    /** Under which the request log has the call. */
    request_id: z.string(),
  }),
});
export type TestCall = z.output<typeof testCall>;

/** Signed calls that a person makes from the page of the Open API, in test mode. */
export const testCallEndpoints = {
  send: endpoint({
    method: 'POST',
    path: '/api/merchant/test-calls',
    summary:
      'Signs a call of the Open API with an access key of the test merchant, makes it from the address of the person, and returns what was sent and replied. The secret stays with us.',
    access: 'session',
    perm: 'access.manage',
    mode: 'test',
    body: z.strictObject({
      keyId: z.string().max(80),
      method: z.enum(['GET', 'POST'], phrase('validation.choice')),
      path: openPath,
      idempotencyKey: z.string().regex(idempotencyKey, phrase('validation.signedIdempotencyKey')).optional(),
      body: z.string().max(maxTestCallBody, phrase('validation.tooLong')).optional(),
    }),
    status: 200,
    reply: z.object({ data: testCall }),
    errors: ['not_found', 'too_many_attempts'],
  }),
};
