import * as z from 'zod';
import { callbackCheck } from './callback-checks.ts';
import { endpoint } from './endpoint.ts';

/** The callback URL of an access key, which receives the callbacks of orders that have none of their own. */
export const callbackAddress = z.object({
  keyId: z.string(),
  /** The name of the key. */
  name: z.string().nullable(),
  url: z.string(),
  /** The last check of this address. */
  check: callbackCheck.nullable(),
});
export type CallbackAddress = z.output<typeof callbackAddress>;

/** The callback URLs of a merchant's access keys, and checks of them. */
export const callbackAddressEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/callback-addresses',
    summary: 'Returns the callback URLs of live access keys with their last checks.',
    access: 'session',
    perm: 'callbacks.read',
    status: 200,
    reply: z.object({ data: z.array(callbackAddress) }),
    errors: [],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/merchant/callback-addresses/:key_id/check',
    summary:
      'Starts a check of the callback URL of an access key, as of an endpoint and within the same limits: the test event is signed as callbacks of orders are. The steps appear in the list of callback URLs as they are done.',
    access: 'session',
    perm: 'callbacks.manage',
    params: z.object({ key_id: z.string().max(80) }),
    status: 200,
    reply: z.object({ data: callbackCheck }),
    errors: ['not_found', 'check_in_progress', 'too_many_attempts'],
  }),
};
