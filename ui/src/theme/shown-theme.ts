import { useSyncExternalStore } from 'react';
import { type Preferences, usePreferences } from './preferences.ts';
import type { ThemeName } from './theme.ts';

const query = '(prefers-color-scheme: dark)';
const systemDark = matchMedia(query);

/** The theme that a choice means: the system's own is read anew each time. */
export function shownTheme(choice: Preferences['theme']): ThemeName {
  if (choice !== 'system') return choice;
  return systemDark.matches ? 'dark' : 'light';
}

/** Calls a listener when the system switches between light and dark. Returns the function that ends it. */
export function onSystemTheme(listener: () => void): () => void {
  // A separate MediaQueryList: Chromium fires no `change` at one whose `matches` was read after the switch and before the event.
  const watched = matchMedia(query);
  watched.addEventListener('change', listener);
  return () => watched.removeEventListener('change', listener);
}

/** The theme on screen. */
export function useShownTheme(): ThemeName {
  const choice = usePreferences((preferences) => preferences.theme);
  return useSyncExternalStore(onSystemTheme, () => shownTheme(choice));
}
