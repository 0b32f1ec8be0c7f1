import { contactEndpoints } from '@hengfu/contract/contact';
import { reading } from '../../platform/reading.ts';

/** Ways to reach the support team. */
export const contactOptions = reading(contactEndpoints.list);
