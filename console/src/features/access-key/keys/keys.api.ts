import { accessKeysEndpoints } from '@hengfu/contract/access-keys';
import { reading } from '../../../platform/reading.ts';

/** All access keys of the merchant, without their secrets. */
export const keysOptions = reading(accessKeysEndpoints.list);
