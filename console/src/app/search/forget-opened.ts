import { writeStored } from '../../platform/stored.ts';

/** Where the browser keeps what was opened from the search. */
export const openedKey = 'recentlyFound';

/** For the end of a session: whoever comes next sees nothing of it. */
export function forgetOpened(): void {
  writeStored(openedKey, undefined);
}
