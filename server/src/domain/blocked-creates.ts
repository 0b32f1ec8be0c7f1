import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { openPayoutEndpoints } from '@hengfu/contract/payouts.open';

/** The calls that the request log keeps in blocks: each creates one order, and they come in great numbers. */
export const blockedCreates = [openCollectionEndpoints.create, openPayoutEndpoints.create];
