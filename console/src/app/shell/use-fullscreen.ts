import { useSyncExternalStore } from 'react';

interface Fullscreen {
  isSupported: boolean;
  isFullscreen: boolean;
  toggle(): void;
}

/** Toggles the browser's fullscreen mode for the whole page. */
export function useFullscreen(): Fullscreen {
  const isFullscreen = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  return {
    isSupported: document.fullscreenEnabled,
    isFullscreen,
    toggle() {
      const done = isFullscreen ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      // The browser may refuse (a policy, no user gesture); then nothing changes.
      done.catch(() => undefined);
    },
  };
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}
