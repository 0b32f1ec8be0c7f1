import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { profileEndpoints } from '@hengfu/contract/profile';
import { reading } from '../../platform/reading.ts';

/** The user's passkeys. */
export const passkeysOptions = reading(passkeyEndpoints.list);

/** Marks the security events beside the factors, which every change of a factor adds to. */
export const securityEventsKey = reading(profileEndpoints.events).queryKey;
