import { callbackAddressEndpoints } from '@hengfu/contract/callback-addresses';
import { callbackEndpointEndpoints } from '@hengfu/contract/callback-endpoints';
import { callbackMessageEndpoints } from '@hengfu/contract/callback-messages';
import { reading } from '../../platform/reading.ts';

/** The merchant's endpoints with their last checks. */
export const endpointsOptions = reading(callbackEndpointEndpoints.list);

/** The callback URLs of the merchant's keys with their last checks. */
export const addressesOptions = reading(callbackAddressEndpoints.list);

/** Key of every callback's detail, for invalidation. */
export const callbackDetailKey = [callbackMessageEndpoints.get.path] as const;

/** One callback with its attempts. */
export function callbackOptions(id: string) {
  return reading(callbackMessageEndpoints.get, { params: { callback_id: id } });
}
