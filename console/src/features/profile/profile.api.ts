import { profileEndpoints } from '@hengfu/contract/profile';
import { reading } from '../../platform/reading.ts';

/** The user's sessions. */
export const sessionsOptions = reading(profileEndpoints.sessions);
/** The security events of the user's account. */
export const securityEventsOptions = reading(profileEndpoints.events);
