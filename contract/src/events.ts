import * as z from 'zod';

/** Data that can change while a screen is open. */
export const topics = [
  'collections',
  'settlements',
  'payouts',
  'topups',
  'withdrawals',
  'exports',
  'notices',
  'account',
  'dashboard',
] as const;
export type Topic = (typeof topics)[number];

/** Path of the server-sent event stream; each message is a {@link liveEvent}. Perm: any signed-in user. */
export const eventsPath = '/api/merchant/events';

/** One message of the stream: the topics whose data changed, so that open screens refetch it. */
export const liveEvent = z.object({ topics: z.array(z.enum(topics)) });

/** The name of the stream's heartbeat event, and its interval. */
export const heartbeatEvent = 'beat';
export const heartbeatMs = 20_000;
