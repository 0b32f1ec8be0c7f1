import * as z from 'zod';
import { channelCodes } from '../channels.ts';
import { endpoint } from '../endpoint.ts';
import { currency } from '../money.ts';
import { channelKinds } from '../status.ts';

/** One use of a channel: whether it is open for new orders, and what it decided within the last hour. */
const channelUse = z.object({
  isOpen: z.boolean(),
  paid: z.number().int(),
  refused: z.number().int(),
});

export const staffChannel = z.object({
  code: z.enum(channelCodes),
  currency,
  adapter: z.string(),
  uses: z.record(z.enum(channelKinds), channelUse),
});
export type StaffChannel = z.output<typeof staffChannel>;

export const staffChannelEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/channels',
    summary: 'Lists the channels: whether each is open, and what it decided within the last hour.',
    access: 'staff',
    staffPerm: 'channels.read',
    status: 200,
    reply: z.object({ data: z.array(staffChannel) }),
    errors: [],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/staff/channels/:code/:kind',
    summary:
      'Opens or closes a channel for new collections or payouts, at once. Orders in progress are completed either way.',
    access: 'staff',
    staffPerm: 'channels.set',
    params: z.object({ code: z.enum(channelCodes), kind: z.enum(channelKinds) }),
    body: z.strictObject({ isOpen: z.boolean() }),
    status: 204,
    errors: ['not_found'],
  }),
};
