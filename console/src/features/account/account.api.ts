import { accountEndpoints } from '@hengfu/contract/account';
import { reading } from '../../platform/reading.ts';

/** The account's figures. */
export const accountOptions = reading(accountEndpoints.get);
