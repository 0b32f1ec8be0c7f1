import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { type ReactElement, useEffect } from 'react';
import { whenSettledAfter } from '../../platform/when-settled.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { useShown } from './search-store.ts';

const Palette = onDemand(() => import('./palette.tsx').then((module) => module.Palette));
const ShortcutHelp = onDemand(() =>
  import('../shortcuts/shortcut-help.tsx').then((module) => module.ShortcutHelp),
);

const fetchAfterMs = 2000;

/** Listens for shortcuts, and shows the palette or the help above the page. Each loads on first use. */
export function SearchOverlay(): ReactElement {
  const shown = useShown();
  useShortcuts();
  // Users type as soon as they open the palette, so it is prefetched once the page has loaded.
  useEffect(() => whenSettledAfter(fetchAfterMs, Palette.prefetch), []);
  return (
    <>
      {shown === 'palette' && <Palette />}
      {shown === 'help' && <ShortcutHelp />}
    </>
  );
}
