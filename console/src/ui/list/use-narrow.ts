import { useSyncExternalStore } from 'react';

/** Under this width (CSS pixels) a list shows cards. */
const narrow = matchMedia('(max-width: 640px)');

/** Whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
