import { type ReactNode, useId, useRef, useState } from 'react';
import { toolClass } from '../../ui/tool-button.tsx';
import { type MenuHandle, MenuPanel } from './menu-panel.tsx';

interface PopupMenuProps {
  /** What the button says to a screen reader, and as a tooltip. */
  label: string;
  /** What the button shows. */
  opener: ReactNode;
  children: ReactNode;
}

/** A button with a menu (WAI-ARIA menu button pattern). */
export function PopupMenu({ label, opener, children }: PopupMenuProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const menuRef = useRef<MenuHandle>(null);
  const [isOpen, setOpen] = useState(false);
  const placeOf = () => {
    const at = buttonRef.current?.getBoundingClientRect();
    return at && { top: at.bottom + 6, right: document.documentElement.clientWidth - at.right };
  };
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        className={toolClass}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          menuRef.current?.show();
        }}
      >
        {opener}
      </button>
      <MenuPanel ref={menuRef} id={id} label={label} placeOf={placeOf} onShownChange={setOpen}>
        {children}
      </MenuPanel>
    </>
  );
}
