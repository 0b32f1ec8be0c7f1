import { ipAddressEndpoints } from '@hengfu/contract/ip-address';
import { reading } from '../../platform/reading.ts';

/** The lines of the whitelist. */
export const ipAddressOptions = reading(ipAddressEndpoints.get);
