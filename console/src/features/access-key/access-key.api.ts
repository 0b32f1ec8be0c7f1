import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import { reading } from '../../platform/reading.ts';

/** The key of the merchant's programs, without its secret. */
export const accessKeyOptions = reading(accessKeyEndpoints.get);
