import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { openPayoutEndpoints } from '@hengfu/contract/payouts.open';
import type { FieldsByPath } from './block-making.ts';

const creates = [openCollectionEndpoints.create, openPayoutEndpoints.create];

/** The fields of the calls that create one order, which come in great numbers, and of their replies, by path. */
export const createFields: FieldsByPath = Object.fromEntries(
  creates.map(({ path, body, reply }) => [
    path,
    [...new Set([...Object.keys(body.shape), ...Object.keys(reply.shape)])],
  ]),
);
