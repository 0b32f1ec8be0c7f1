import { useEffect, useState, useSyncExternalStore } from 'react';
import { setPreference, usePreferences } from '../../platform/preferences.ts';

/** How the sidebar stands and what its toggle does. */
export interface Frame {
  isMobile: boolean;
  isOpen: boolean;
  /** False where a resize moved the sidebar: only the reader's own move is animated. */
  isAnimated: boolean;
  toggle(): void;
  close(): void;
}

type Band = 'mobile' | 'narrow' | 'wide';

const belowDesktop = matchMedia('(width < 992px)');
const belowWide = matchMedia('(width < 1200px)');

/**
 * Under 992 px the sidebar is a drawer, closed at first; up to 1199 px it starts closed to icons; from 1200 px it is as
 * the reader left it. What is opened in the two narrow bands lasts until the band changes.
 */
export function useFrame(): Frame {
  const band = useSyncExternalStore(subscribe, currentBand);
  const status = usePreferences((preferences) => preferences.sidebarStatus);
  const [passing, setPassing] = useState<{ band: Band; isOpen: boolean } | undefined>();
  const [animatedIn, setAnimatedIn] = useState<Band | undefined>();

  useEffect(() => setPreference('device', band === 'mobile' ? 'mobile' : 'desktop'), [band]);

  const isOpen = band === 'wide' ? status === 'opened' : passing?.band === band && passing.isOpen;
  const setOpen = (next: boolean) => {
    setAnimatedIn(band);
    if (band === 'wide') setPreference('sidebarStatus', next ? 'opened' : 'closed');
    else setPassing({ band, isOpen: next });
  };
  return {
    isMobile: band === 'mobile',
    isOpen,
    isAnimated: animatedIn === band,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
  };
}

function currentBand(): Band {
  if (belowDesktop.matches) return 'mobile';
  return belowWide.matches ? 'narrow' : 'wide';
}

function subscribe(listener: () => void): () => void {
  belowDesktop.addEventListener('change', listener);
  belowWide.addEventListener('change', listener);
  return () => {
    belowDesktop.removeEventListener('change', listener);
    belowWide.removeEventListener('change', listener);
  };
}
