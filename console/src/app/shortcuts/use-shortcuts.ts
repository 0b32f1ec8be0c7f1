import { isComposing } from '@hengfu/ui/browser/is-composing.ts';
import { usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { useRouter } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { type MenuPage, menu } from '../menu.ts';
import { isPermitted, placeOf } from '../menu-rules.ts';
import { show, useShown } from '../search/search-store.ts';
import { creationPathOf, letterWithinMs, type Shortcut, shortcutFor } from './shortcuts.ts';

/** Handles the keyboard shortcuts of the whole console while the frame is mounted. */
export function useShortcuts(): void {
  const router = useRouter();
  const user = useUser();
  const prefixAt = useRef(-letterWithinMs);
  const isShown = useShown() !== undefined;
  const isEnabled = usePreferences(({ shortcuts }) => shortcuts === 'on');

  const goTo = (path: MenuPage['path']) => {
    const page = placeOf(menu, path)?.page;
    if (page && isPermitted(page, user)) void router.navigate({ to: path });
  };
  const run = (shortcut: Exclude<Shortcut, undefined | 'prefix'>) => {
    const path = 'page' in shortcut ? shortcut.page : creationPathOf(shortcut.action);
    if (path !== undefined) goTo(path);
    else if ('action' in shortcut && shortcut.action === 'help') show('help');
    else focusFilter();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return;
    if (isPaletteKey(event)) {
      event.preventDefault();
      show('palette');
      return;
    }
    // `isShown`: letters typed while the palette is still loading are meant for it.
    if (!isEnabled || isShown || event.ctrlKey || event.metaKey || event.altKey || isInUse(event.target))
      return;
    const shortcut = shortcutFor(event.key, performance.now() - prefixAt.current < letterWithinMs);
    prefixAt.current = shortcut === 'prefix' ? performance.now() : -letterWithinMs;
    if (shortcut === undefined || shortcut === 'prefix') return;
    event.preventDefault();
    run(shortcut);
  });
  // Before the frame is painted: whoever sees it may press a key.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** Whether something else takes the keyboard: a field, a dialog, an open menu. */
function isInUse(target: EventTarget | null): boolean {
  const isField =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
  return isField || document.querySelector('[data-open]:is([role$="dialog"], [role="menu"])') !== null;
}

/** Focuses the first filter of the list on screen, or opens the palette if the page has no filters. */
function focusFilter(): void {
  const fields = document.querySelectorAll<HTMLElement>('main search :is(input, button)');
  const first = [...fields].find((field) => field.checkVisibility());
  if (first) first.focus();
  else show('palette');
}
