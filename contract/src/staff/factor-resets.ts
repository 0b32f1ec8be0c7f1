import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { askedReply, merchantReason, onePerson } from './merchants.ts';

/** Removing the second factor of a merchant's person who has lost it. */
export const factorResetEndpoints = {
  ask: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/people/:person_id/factor-reset',
    summary:
      'Asks a second person to remove the second factors of a merchant’s person, and to end the person’s sessions.',
    access: 'staff',
    staffPerm: 'merchants.factors',
    params: onePerson,
    body: merchantReason,
    status: 200,
    reply: askedReply,
    errors: ['not_found', 'conflict', 'request_waiting'],
  }),
  code: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/people/:person_id/enrolment-code',
    summary: 'Returns, once, the enrollment code of a reset to the person who approved it, to hand over.',
    access: 'staff',
    staffPerm: 'merchants.factors',
    params: onePerson,
    status: 200,
    reply: z.object({ data: z.object({ code: z.string() }) }),
    errors: ['not_found'],
  }),
};
