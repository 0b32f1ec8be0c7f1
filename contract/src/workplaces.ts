import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * Request header that names the merchant whose page makes a call. A page belongs to one merchant; if its person has switched to
 * another one since, the call is refused with `merchant_switched` and does nothing.
 */
export const merchantHeader = 'X-Merchant';
/** The same as a query parameter, for links and event streams, which cannot set headers. */
export const merchantParameter = 'merchant';

const merchantCode = z.string().max(64);

/** A merchant that the signed-in person works for. */
export const workplace = z.object({
  code: z.string(),
  name: z.string(),
  /** The merchant that this session works for now. */
  isCurrent: z.boolean(),
  /** The merchant that the person chose last. */
  isLastUsed: z.boolean(),
  /** False if the merchant, or the person's membership, is suspended. */
  isAvailable: z.boolean(),
});
export type Workplace = z.output<typeof workplace>;

/** The merchants that a person works for, and the one that the session works for. */
export const workplaceEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/workplaces',
    summary: 'Lists the merchants that the signed-in person works for, the last used one first.',
    access: 'session',
    level: 'person',
    status: 200,
    reply: z.object({ data: z.array(workplace) }),
    errors: [],
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/merchant/session/merchant',
    summary:
      'Makes the session work for another merchant of the person: after sign-in, or to switch. Pages of the former merchant are refused from then on.',
    access: 'session',
    level: 'person',
    body: z.object({ merchant: merchantCode }),
    status: 204,
    errors: ['not_found', 'forbidden', 'merchant_suspended'],
  }),
};
