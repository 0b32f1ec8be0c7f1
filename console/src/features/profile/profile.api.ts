import { profileEndpoints } from '@hengfu/contract/profile';
import { reading } from '../../platform/reading.ts';

/** Where the user is signed in. */
export const sessionsOptions = reading(profileEndpoints.sessions);
/** What the user's access went through. */
export const securityEventsOptions = reading(profileEndpoints.events);
