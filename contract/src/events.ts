import * as z from 'zod';

/** Data that can change while a screen is open. */
export const topics = [
  'collections',
  'callbacks',
  'settlements',
  'payouts',
  'topups',
  'withdrawals',
  'exports',
  'notices',
  'account',
  'dashboard',
  'team',
  'approvals',
  'announcements',
] as const;
export type Topic = (typeof topics)[number];

/** Path of the server-sent event stream; each message is a {@link liveEvent}. Perm: any signed-in user. */
export const eventsPath = '/api/merchant/events';

/**
 * Optional query of the stream: when the page that opens it was read, in ms since the epoch, by the server's clock. The
 * stream begins with what has changed since.
 */
export const eventsQuery = z.object({
  since: z.coerce.number().int().positive().optional().catch(undefined),
});

/** One message of the stream: the topics whose data changed, so that open screens refetch it. */
export const liveEvent = z.object({ topics: z.array(z.enum(topics)) });

/** The name of the stream's heartbeat event, and its interval. */
export const heartbeatEvent = 'beat';
export const heartbeatMs = 20_000;
