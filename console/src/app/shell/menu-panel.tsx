import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type ToggleEvent,
  useImperativeHandle,
  useRef,
} from 'react';
import styles from './popup-menu.module.css';

/** Class of an entry of a {@link MenuPanel}. */
export const itemClass = styles.item;

/** Where a panel opens, in pixels of the window. */
export interface MenuPlace {
  top: number;
  /** From the window's left edge, or from its right one. */
  left?: number;
  right?: number;
}

export interface MenuHandle {
  show(): void;
}

interface MenuPanelProps {
  ref?: Ref<MenuHandle>;
  id: string;
  label: string;
  /** Asked each time it opens. */
  placeOf: () => MenuPlace | undefined;
  onShownChange?: (isShown: boolean) => void;
  /** `role="menuitem"`-like children (see {@link itemClass}); choosing one closes the menu. */
  children: ReactNode;
}

/**
 * A menu's box (WAI-ARIA menu pattern). The browser layers it, and closes it by Escape or a click elsewhere (HTML
 * popover); here are its place and the arrow keys.
 */
export function MenuPanel({ ref, id, label, placeOf, onShownChange, children }: MenuPanelProps) {
  const menuRef = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({ show: () => menuRef.current?.showPopover() }), []);
  const onToggle = ({ newState }: ToggleEvent) => {
    onShownChange?.(newState === 'open');
    if (newState !== 'open') return;
    const menu = menuRef.current;
    (menu?.querySelector<HTMLElement>('[aria-checked="true"]') ?? itemsOf(menu)[0])?.focus();
  };
  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    const place = newState === 'open' ? placeOf() : undefined;
    const style = menuRef.current?.style;
    if (!place || !style) return;
    style.top = `${place.top}px`;
    style.left = place.left === undefined ? 'auto' : `${place.left}px`;
    style.right = place.right === undefined ? 'auto' : `${place.right}px`;
  };
  return (
    <div
      ref={menuRef}
      id={id}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={styles.menu}
      onToggle={onToggle}
      onBeforeToggle={onBeforeToggle}
      onKeyDown={(event) => moveFocus(event, menuRef.current)}
      onClick={(event) => {
        const isItem = event.target instanceof Element && event.target.closest('[role^="menuitem"]');
        if (isItem) menuRef.current?.hidePopover();
      }}
    >
      {children}
    </div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}

function moveFocus(event: KeyboardEvent, menu: HTMLElement | null): void {
  // Tab leaves the menu, as it leaves a select.
  if (event.key === 'Tab') menu?.hidePopover();
  const items = itemsOf(menu);
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  const steps: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const next = steps[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}
