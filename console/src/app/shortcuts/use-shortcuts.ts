import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { usePreferences } from '../../platform/preferences.ts';
import { useUser } from '../../platform/session-store.ts';
import { type MenuPage, menu } from '../menu.ts';
import { isPermitted, placeOf } from '../menu-rules.ts';
import { show, useShown } from '../search/search-store.ts';
import { type Asked, askedBy, letterWithinMs, payoutPath } from './shortcuts.ts';

/** Hears the keys of the whole console while the frame is on screen. */
export function useShortcuts(): void {
  const router = useRouter();
  const user = useUser();
  const prefixAt = useRef(-letterWithinMs);
  const isShown = useShown() !== undefined;
  const isOn = usePreferences(({ shortcuts }) => shortcuts === 'on');

  const goTo = (path: MenuPage['path']) => {
    const page = placeOf(menu, path)?.page;
    if (page && isPermitted(page, user)) void router.navigate({ to: path });
  };
  const act = (asked: Exclude<Asked, undefined | 'prefix'>) => {
    if ('page' in asked) goTo(asked.page);
    else if (asked.action === 'payout') goTo(payoutPath);
    else if (asked.action === 'help') show('help');
    else focusFilter();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (isPaletteKey(event)) {
      event.preventDefault();
      show('palette');
      return;
    }
    // Letters that come before the palette does are meant for it.
    if (!isOn || isShown || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target))
      return;
    const asked = askedBy(event.key, performance.now() - prefixAt.current < letterWithinMs);
    prefixAt.current = asked === 'prefix' ? performance.now() : -letterWithinMs;
    if (asked === undefined || asked === 'prefix') return;
    event.preventDefault();
    act(asked);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** Whether the keyboard is at something else: a field, a dialog, an open menu. */
function isElsewhere(target: EventTarget | null): boolean {
  const isField =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
  return isField || document.querySelector('dialog[open], [aria-modal="true"], :popover-open') !== null;
}

/** Puts the focus on the first filter of the list on screen; where there is none, anything can be searched for. */
function focusFilter(): void {
  const fields = document.querySelectorAll<HTMLElement>('main search :is(input, button)');
  const first = [...fields].find((field) => field.checkVisibility());
  if (first) first.focus();
  else show('palette');
}
