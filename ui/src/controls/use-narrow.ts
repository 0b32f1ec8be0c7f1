import { useSyncExternalStore } from 'react';

/** Up to this width (CSS pixels), lists show cards. */
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
