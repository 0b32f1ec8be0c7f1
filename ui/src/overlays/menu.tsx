import type { ReactElement, ReactNode } from 'react';
import { onDemand } from '../browser/on-demand.tsx';
import { toolClass } from '../controls/tool-button.tsx';
import type { MenuEntry } from './menu-entry.ts';
import { usePopup } from './use-popup.ts';

interface MenuProps {
  /** Name of the button for screen readers, and its tooltip. */
  label: string;
  /** Content of the button. */
  opener: ReactNode;
  /** Text above the entries. */
  header?: ReactNode;
  entries: readonly MenuEntry[];
}

/** A menu without a button, at an element or a point; open while it is mounted. */
export const OpenMenu = onDemand(async () => (await import('./overlays.ts')).MenuPanel);

/** A button with a menu: arrow keys, first letters, Home, End and Escape work as in any menu. */
export function Menu({ label, opener, header, entries }: MenuProps): ReactElement {
  const { isOpen, setOpen, button, buttonProps } = usePopup(OpenMenu.prefetch);
  return (
    <>
      <button
        type="button"
        {...buttonProps}
        className={toolClass}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {opener}
      </button>
      {isOpen && (
        <OpenMenu
          label={label}
          header={header}
          entries={entries}
          anchor={button}
          opener={button}
          align="end"
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
