import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { whenIdleAfter } from '../../platform/when-idle.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { useShown } from './search-store.ts';

const fetchPalette = () => import('./palette.tsx');
const Palette = lazy(() => fetchPalette().then((module) => ({ default: module.Palette })));
const ShortcutHelp = lazy(() =>
  import('../shortcuts/shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })),
);

const fetchAfterMs = 2000;

/** Listens to the keyboard, and shows palette and help above the page; each is fetched when it is first wanted. */
export function SearchOverlay(): ReactElement {
  const shown = useShown();
  useShortcuts();
  // Whoever opens it types at once: it is there before it is wanted, and after all that the page wants.
  useEffect(() => whenIdleAfter(fetchAfterMs, () => void fetchPalette().catch(() => undefined)), []);
  return (
    <Suspense>
      {shown === 'palette' && <Palette />}
      {shown === 'help' && <ShortcutHelp />}
    </Suspense>
  );
}
