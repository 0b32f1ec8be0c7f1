import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Preferences, setPreference, usePreferences } from '../../platform/preferences.ts';
import { useUser } from '../../platform/session-store.ts';
import { type MenuGroup, menu } from '../menu.ts';
import { visibleMenu } from '../menu-rules.ts';
import { usePlace } from './use-place.ts';

/** How menu and sidebar stand and what the sidebar's toggle does. */
export interface Frame {
  /** A phone has a drawer, whatever the layout. */
  isMobile: boolean;
  layout: Preferences['layout'];
  sidebar: 'opened' | 'closed' | 'none';
  isOpen: boolean;
  /** False where a resize moved the sidebar: only the reader's own move is animated. */
  isAnimated: boolean;
  /** What the menu shows. */
  groups: readonly MenuGroup[];
  /** The group that the page belongs to, or the one before it. */
  activeGroup: MenuGroup | undefined;
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
  const chosenLayout = usePreferences((preferences) => preferences.layout);
  const groups = visibleMenu(menu, useUser());
  const activeGroup = useActiveGroup(groups);
  const [passing, setPassing] = useState<{ band: Band; isOpen: boolean } | undefined>();
  const [animatedIn, setAnimatedIn] = useState<Band | undefined>();

  useEffect(() => setPreference('device', band === 'mobile' ? 'mobile' : 'desktop'), [band]);

  const isMobile = band === 'mobile';
  const layout = isMobile ? 'left' : chosenLayout;
  const isOpen = band === 'wide' ? status === 'opened' : passing?.band === band && passing.isOpen;
  const isAbsent =
    isMobile || layout === 'top' || (layout === 'mix' && (activeGroup?.children.length ?? 0) < 2);
  const setOpen = (next: boolean) => {
    setAnimatedIn(band);
    if (band === 'wide') setPreference('sidebarStatus', next ? 'opened' : 'closed');
    else setPassing({ band, isOpen: next });
  };
  return {
    isMobile,
    layout,
    isOpen,
    groups,
    activeGroup,
    sidebar: isAbsent ? 'none' : isOpen ? 'opened' : 'closed',
    isAnimated: animatedIn === band,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
  };
}

/** The group of the page on screen; on a page outside of the menu the one before it, which the browser keeps. */
function useActiveGroup(groups: readonly MenuGroup[]): MenuGroup | undefined {
  const here = usePlace()?.group.path;
  const before = usePreferences(({ activeTop }) => activeTop);
  useEffect(() => {
    if (here && here !== before) setPreference('activeTop', here);
  }, [here, before]);
  return groups.find(({ path }) => path === (here ?? before));
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
