import { type Preferences, setPreference, usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { type MenuGroup, menu } from '../menu.ts';
import { visibleMenu } from '../menu-rules.ts';
import { usePlace } from './use-place.ts';

/** The state of menu and sidebar, and what the sidebar's toggle does. */
export interface Frame {
  /** A phone shows a drawer, whatever the layout. */
  isMobile: boolean;
  layout: Preferences['layout'];
  sidebar: 'opened' | 'closed' | 'none';
  isOpen: boolean;
  /** True after the user toggled the sidebar; changes caused by resizing are not animated. */
  isAnimated: boolean;
  groups: readonly MenuGroup[];
  /** The group of the current page, or the last active one if the page is in none. */
  activeGroup: MenuGroup | undefined;
  toggle(): void;
  close(): void;
}

type Breakpoint = 'mobile' | 'narrow' | 'wide';

const belowDesktop = matchMedia('(width < 992px)');
const belowWide = matchMedia('(width < 1200px)');

/**
 * Below 992 px the sidebar is a drawer, initially closed; up to 1199 px it starts collapsed to icons; from
 * 1200 px it is as the user left it. Below 1200 px, opening it lasts until the breakpoint changes.
 */
export function useFrame(): Frame {
  const breakpoint = useSyncExternalStore(subscribe, currentBreakpoint);
  const status = usePreferences((preferences) => preferences.sidebarStatus);
  const chosenLayout = usePreferences((preferences) => preferences.layout);
  const groups = visibleMenu(menu, useUser());
  const activeGroup = useActiveGroup(groups);
  const [temporary, setTemporary] = useState<{ breakpoint: Breakpoint; isOpen: boolean } | undefined>();
  const [animatedIn, setAnimatedIn] = useState<Breakpoint | undefined>();

  useEffect(() => setPreference('device', breakpoint === 'mobile' ? 'mobile' : 'desktop'), [breakpoint]);

  const isMobile = breakpoint === 'mobile';
  const layout = isMobile ? 'left' : chosenLayout;
  const isOpen =
    breakpoint === 'wide' ? status === 'opened' : temporary?.breakpoint === breakpoint && temporary.isOpen;
  const isAbsent =
    isMobile || layout === 'top' || (layout === 'mix' && (activeGroup?.children.length ?? 0) < 2);
  const setOpen = (next: boolean) => {
    setAnimatedIn(breakpoint);
    if (breakpoint === 'wide') setPreference('sidebarStatus', next ? 'opened' : 'closed');
    else setTemporary({ breakpoint, isOpen: next });
  };
  return {
    isMobile,
    layout,
    isOpen,
    groups,
    activeGroup,
    sidebar: isAbsent ? 'none' : isOpen ? 'opened' : 'closed',
    isAnimated: animatedIn === breakpoint,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
  };
}

/** The group of the current page; on a page outside the menu, the last active group (a stored preference). */
function useActiveGroup(groups: readonly MenuGroup[]): MenuGroup | undefined {
  const current = usePlace()?.group.path;
  const last = usePreferences(({ activeTop }) => activeTop);
  useEffect(() => {
    if (current && current !== last) setPreference('activeTop', current);
  }, [current, last]);
  return groups.find(({ path }) => path === (current ?? last));
}

function currentBreakpoint(): Breakpoint {
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
