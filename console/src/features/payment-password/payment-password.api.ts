import { paymentPasswordEndpoints } from '@hengfu/contract/payment-password';
import { reading } from '../../platform/reading.ts';

/** Whether the user has a payment password. */
export const paymentPasswordOptions = reading(paymentPasswordEndpoints.get);
