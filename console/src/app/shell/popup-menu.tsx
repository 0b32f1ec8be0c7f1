import { type ReactNode, useId, useRef, useState } from 'react';
import { toolClass } from '../../ui/tool-button.tsx';
import { type MenuHandle, MenuPanel } from './menu-panel.tsx';

interface PopupMenuProps {
  /** Name of the button for screen readers, and its tooltip. */
  label: string;
  /** Content of the button. */
  opener: ReactNode;
  children: ReactNode;
}

/** A button with a menu (WAI-ARIA menu button pattern). */
export function PopupMenu({ label, opener, children }: PopupMenuProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const menuRef = useRef<MenuHandle>(null);
  const [isOpen, setOpen] = useState(false);
  const position = () => {
    const button = buttonRef.current?.getBoundingClientRect();
    return button && { top: button.bottom + 6, right: document.documentElement.clientWidth - button.right };
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
      <MenuPanel ref={menuRef} id={id} label={label} position={position} onShownChange={setOpen}>
        {children}
      </MenuPanel>
    </>
  );
}
