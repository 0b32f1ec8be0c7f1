import { useSyncExternalStore } from 'react';

interface Fullscreen {
  isSupported: boolean;
  isFullscreen: boolean;
  toggle(): void;
}

/** The whole page on the whole screen, as the browser allows it. */
export function useFullscreen(): Fullscreen {
  const isFullscreen = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  return {
    isSupported: document.fullscreenEnabled,
    isFullscreen,
    toggle() {
      const done = isFullscreen ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      // The browser may refuse (a policy, a missing gesture): the page then stays as it is.
      done.catch(() => undefined);
    },
  };
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}
