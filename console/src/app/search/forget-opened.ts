import { writeStored } from '@hengfu/ui/browser/stored.ts';

/** Storage key of the items recently opened from the search. */
export const openedKey = 'recentlyFound';

/** Clears the recent items on sign-out, so that the next user does not see them. */
export function forgetOpened(): void {
  writeStored(openedKey, undefined);
}
