import * as z from 'zod';

/** What can change under an open screen. */
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

/** One message of the stream: the topics whose data changed, so that open screens ask again. */
export const liveEvent = z.object({ topics: z.array(z.enum(topics)) });

/** Name of the event by which the stream says that it lives, and how often it does. */
export const beatEvent = 'beat';
export const beatMs = 20_000;
