import * as z from 'zod';

/** Data of the back office alone that can change while a screen is open. */
const staffTopics = ['caseClaims', 'staffRequests', 'merchants', 'reconciliation', 'service'] as const;
export type StaffTopic = (typeof staffTopics)[number];

/** The topics that screens of the back office follow: its own, and those of all merchants. */
export const followedTopics = ['topups', 'withdrawals', 'payouts', 'collections', ...staffTopics] as const;
export type FollowedTopic = (typeof followedTopics)[number];

/** Path of the back office's event stream. For any of our staff who has passed every check of the sign-in. */
export const staffEventsPath = '/api/staff/events';

/** One message of the stream. It never names a merchant: screens ask again for what they show. */
export const staffLiveEvent = z.object({ topics: z.array(z.enum(followedTopics)) });
