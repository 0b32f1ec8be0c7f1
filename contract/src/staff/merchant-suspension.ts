import { endpoint } from '../endpoint.ts';
import { askedReply, merchantReason, oneMerchant } from './merchants.ts';

/** Suspending merchants, by the feature that operators use. */
export const merchantSuspensionEndpoints = {
  suspend: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/suspension',
    summary:
      'Suspends a merchant at once: its people, its keys, new orders and unsent payouts. Arriving money is credited.',
    access: 'staff',
    staffPerm: 'merchants.suspend',
    params: oneMerchant,
    body: merchantReason,
    status: 204,
    errors: ['not_found', 'conflict', 'follows_live'],
  }),
  reactivate: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/reactivation',
    summary: 'Asks a second person to end the suspension of a merchant.',
    access: 'staff',
    staffPerm: 'merchants.suspend',
    params: oneMerchant,
    body: merchantReason,
    status: 200,
    reply: askedReply,
    errors: ['not_found', 'conflict', 'follows_live', 'request_waiting'],
  }),
};
