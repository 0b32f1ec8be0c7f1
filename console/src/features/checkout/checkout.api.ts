import { checkoutEndpoints } from '@hengfu/contract/checkout';
import { reading } from '../../platform/reading.ts';

/** The settings of the merchant's checkout page. */
export const checkoutOptions = reading(checkoutEndpoints.get);
