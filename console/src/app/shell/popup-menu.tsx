import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';
import styles from './popup-menu.module.css';

interface PopupMenuProps {
  /** What the button says to a screen reader, and as a tooltip. */
  label: string;
  /** What the button shows. */
  opener: ReactNode;
  /** `role="menuitem"`-like children (see {@link itemClass}); choosing one closes the menu. */
  children: ReactNode;
}

/** Class of an entry of a {@link PopupMenu}. */
export const itemClass = styles.item;

/**
 * A button with a menu (WAI-ARIA menu button pattern). The browser layers it, and closes it by Escape or a click
 * elsewhere (HTML popover); here are its place and the arrow keys.
 */
export function PopupMenu({ label, opener, children }: PopupMenuProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const menuRef = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  const onToggle = ({ newState }: ToggleEvent) => {
    setOpen(newState === 'open');
    if (newState !== 'open') return;
    const menu = menuRef.current;
    (menu?.querySelector<HTMLElement>('[aria-checked="true"]') ?? itemsOf(menu)[0])?.focus();
  };
  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    const at = buttonRef.current?.getBoundingClientRect();
    if (newState !== 'open' || !at || !menuRef.current) return;
    menuRef.current.style.top = `${at.bottom + 6}px`;
    menuRef.current.style.right = `${document.documentElement.clientWidth - at.right}px`;
  };

  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        className={styles.button}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          menuRef.current?.showPopover();
        }}
      >
        {opener}
      </button>
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
    </>
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
