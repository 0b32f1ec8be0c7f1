import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import { reading } from '../../platform/reading.ts';

/** The merchant's access key, without its secret. */
export const accessKeyOptions = reading(accessKeyEndpoints.get);
