import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type ToggleEvent,
  useImperativeHandle,
  useRef,
} from 'react';
import styles from './popup-menu.module.css';

/** CSS class of an entry of a {@link MenuPanel}. */
export const itemClass = styles.item;

/** Where a panel opens, in CSS pixels of the viewport. Set either `left` or `right`. */
export interface MenuPosition {
  top: number;
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
  /** Called each time the menu opens. */
  position: () => MenuPosition | undefined;
  onShownChange?: (isShown: boolean) => void;
  /** `role="menuitem"`-like children (see {@link itemClass}); choosing one closes the menu. */
  children: ReactNode;
}

/**
 * A menu (WAI-ARIA menu pattern). The browser handles layering, Escape and clicks outside (HTML popover); the
 * component handles its position and the arrow keys.
 */
export function MenuPanel({ ref, id, label, position, onShownChange, children }: MenuPanelProps) {
  const menuRef = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({ show: () => menuRef.current?.showPopover() }), []);
  const onToggle = ({ newState }: ToggleEvent) => {
    onShownChange?.(newState === 'open');
    if (newState !== 'open') return;
    const menu = menuRef.current;
    (menu?.querySelector<HTMLElement>('[aria-checked="true"]') ?? itemsOf(menu)[0])?.focus();
  };
  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    const at = newState === 'open' ? position() : undefined;
    const style = menuRef.current?.style;
    if (!at || !style) return;
    style.top = `${at.top}px`;
    style.left = at.left === undefined ? 'auto' : `${at.left}px`;
    style.right = at.right === undefined ? 'auto' : `${at.right}px`;
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
  // Tab closes the menu, as it does with a select.
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
