import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { reading } from '../../platform/reading.ts';

/** The user's passkeys. */
export const passkeysOptions = reading(passkeyEndpoints.list);
