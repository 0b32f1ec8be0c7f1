import { isComposing } from '@hengfu/ui/browser/is-composing.ts';
import { useEffect, useEffectEvent } from 'react';

/**
 * Calls a function by a single key, once each time it is pressed, unless something is being typed, or the key belongs to a menu, a
 * dialog or the browser.
 */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isField =
      target instanceof Element &&
      target.closest('input, textarea, select, [role="menu"], [role="dialog"]') !== null;
    if (isField || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isComposing(event))
      return;
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
