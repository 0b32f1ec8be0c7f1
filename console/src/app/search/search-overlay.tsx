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

/** Listens for shortcuts, and shows the palette or the help above the page. Each loads on first use. */
export function SearchOverlay(): ReactElement {
  const shown = useShown();
  useShortcuts();
  // Users type as soon as they open the palette, so it is prefetched once the page has loaded.
  useEffect(() => whenIdleAfter(fetchAfterMs, () => void fetchPalette().catch(() => undefined)), []);
  return (
    <Suspense>
      {shown === 'palette' && <Palette />}
      {shown === 'help' && <ShortcutHelp />}
    </Suspense>
  );
}
